import type { ESLint } from "eslint";
import { defineConfig } from "eslint/config";
import importX, { createNodeResolver } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

import { schematicUses } from "./factory/platforms";
import { noPlatformChoice } from "./lint/no-platform-choice";
import { noResourceInApply } from "./lint/no-resource-in-apply";
import { shortComments } from "./lint/short-comments";

/** Left to right: a folder imports only from folders to its left; components and ops are beside each other. */
const layers = [
  ["base"],
  ["agreed"],
  ["factory"],
  ["config"],
  ["machine"],
  ["components", "ops"],
  ["toolchain"],
  ["rehearsal"],
] as const;

/** A folder's neighbours and everything to its right. */
const forbiddenTo = (folder: string): string[] => {
  const at = layers.findIndex((layer) => (layer as readonly string[]).includes(folder));
  return layers
    .slice(at)
    .flat()
    .filter((name) => name !== folder);
};

const zones = layers.slice(0, -1).flatMap((layer) =>
  layer.map((folder) => ({
    target: `./${folder}`,
    from: ["./index.ts", ...forbiddenTo(folder).map((name) => `./${name}`)],
    message: `Imports go one way: ${layers.flat().join(", ")} (docs/architecture.md).`,
  })),
);

/** The factory's rules and the SDK stand alone, and the toolchain builds what the program runs with. */
const alone = [
  { target: "./factory", from: ["./agreed"], message: "factory/ imports base/ only." },
  { target: "./sdks", from: layers.flat().map((name) => `./${name}`), message: "The SDK stands alone." },
  {
    target: "./toolchain",
    from: ["./config", "./machine", "./components", "./ops"],
    message: "toolchain/ finds and builds tools; it knows nothing of clusters.",
  },
];

// All describe rules, in types that do not know each other.
const ownRules = {
  rules: {
    "no-resource-in-apply": noResourceInApply,
    "no-platform-choice": noPlatformChoice,
    "short-comments": shortComments,
  },
} as unknown as ESLint.Plugin;

const pulumiPackages = ["@pulumi/*", "@pulumiverse/*"];
const talosProviderFiles = [
  "components/machine-secrets.ts",
  "components/machine-configs.ts",
  "components/config-apply.ts",
  "components/access.ts",
  "components/talosconfig.ts",
  "components/former.ts",
];

const configOutsideLoader = {
  selector: "NewExpression[callee.property.name='Config']",
  message: "Only config/load.ts reads the stack's configuration.",
};
const processExit = {
  selector: "CallExpression[callee.object.name='process'][callee.property.name='exit']",
  message: "Throw an error; only a command's entry file decides the exit code.",
};
const processEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "The environment is read at the edge: config/load.ts, ops/, toolchain/ and rehearsal/.",
};

/** What a platform does is in its slice; these know all platforms, and the compiler asks them for a new one. */
const chooseAPlatform = [
  "factory/platforms.ts",
  "config/platforms/select.ts",
  "machine/reserve.ts",
  "machine/groups.ts",
  "components/platforms/select.ts",
  "ops/platforms/select.ts",
];
const platforms = { names: Object.keys(schematicUses), files: chooseAPlatform };

export default defineConfig(
  { ignores: ["node_modules", ".lab", ".rehearsal", "coverage", "jest.config.js", "**/*.js", "**/*.cjs"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: __dirname } },
    plugins: { "import-x": importX, "talos-fleet": ownRules },
    // Without it no import of a .ts file is resolved, and the rules below see none.
    settings: {
      "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".js", ".json"] })],
      "import-x/extensions": [".ts"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts"] },
    },
    rules: {
      "talos-fleet/no-resource-in-apply": "error",
      "talos-fleet/no-platform-choice": ["error", platforms],
      "talos-fleet/short-comments": "error",
      "@typescript-eslint/strict-boolean-expressions": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/require-await": "off",
      "no-constant-binary-expression": "error",
      "max-lines": ["error", { max: 250 }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", { max: 3 }],
      "no-restricted-syntax": ["error", processExit, configOutsideLoader, processEnv],
      "import-x/no-restricted-paths": ["error", { zones: [...zones, ...alone] }],
      "import-x/no-cycle": ["error", { ignoreExternal: true }],
    },
  },
  {
    files: ["base/**/*.ts", "agreed/**/*.ts", "config/**/*.ts", "factory/**/*.ts", "machine/**/*.ts"],
    ignores: ["config/load.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: pulumiPackages }] },
  },
  {
    files: ["components/**/*.ts"],
    ignores: talosProviderFiles,
    rules: { "no-restricted-imports": ["error", { patterns: ["@pulumiverse/*"] }] },
  },
  {
    files: [
      "config/load.ts",
      ...["ops", "toolchain", "rehearsal", "bench", "test"].map((name) => `${name}/**/*.ts`),
    ],
    rules: { "no-restricted-syntax": ["error", processExit] },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "talos-fleet/no-platform-choice": "off" },
  },
  {
    files: ["test/**/*.ts", "rehearsal/test/**/*.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
);
