import { defineConfig } from "eslint/config";
import importX from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** The stages of the program, left to right: a folder imports only from folders to its left. */
const border = (folder: string, forbidden: string[]) => ({
  target: `./${folder}`,
  from: forbidden.map((name) => `./${name}`),
  message: "Imports go one way: config, factory, components, ops, rehearsal (docs/architecture.md).",
});

const pulumiPackages = ["@pulumi/*", "@pulumiverse/*"];
const talosProviderFiles = [
  "components/machine-secrets.ts",
  "components/machine-configs.ts",
  "components/config-apply.ts",
  "components/access.ts",
  "components/talosconfig.ts",
];

const resourceInApply = {
  selector: "CallExpression[callee.property.name='apply'] NewExpression[callee.type='MemberExpression']",
  message: "Nothing is created inside apply: previews would not show it.",
};
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
  message: "The environment is read at the edge: config/load.ts, ops/ and rehearsal/.",
};

export default defineConfig(
  { ignores: ["node_modules", ".lab", ".rehearsal", "coverage", "jest.config.js", "**/*.js", "**/*.cjs"] },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    plugins: { "import-x": importX },
    rules: {
      "@typescript-eslint/strict-boolean-expressions": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/require-await": "off",
      "no-constant-binary-expression": "error",
      "max-lines": ["warn", { max: 250, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["warn", { max: 60, skipBlankLines: true, skipComments: true }],
      "max-params": ["error", { max: 3 }],
      "no-restricted-syntax": ["error", resourceInApply, configOutsideLoader, processExit, processEnv],
      "import-x/no-restricted-paths": [
        "error",
        {
          zones: [
            border("config", ["factory", "components", "ops", "rehearsal"]),
            border("factory", ["components", "ops", "rehearsal"]),
            border("components", ["ops", "rehearsal"]),
            border("ops", ["components", "rehearsal"]),
            border("toolchain", ["config", "factory", "components", "ops", "rehearsal"]),
            border("sdks", ["config", "factory", "components", "ops", "toolchain", "rehearsal"]),
          ],
        },
      ],
    },
  },
  {
    files: ["config/**/*.ts", "factory/**/*.ts"],
    ignores: ["config/load.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: pulumiPackages }] },
  },
  {
    files: ["components/**/*.ts"],
    ignores: talosProviderFiles,
    rules: { "no-restricted-imports": ["error", { patterns: ["@pulumiverse/*"] }] },
  },
  {
    files: ["config/load.ts"],
    rules: { "no-restricted-syntax": ["error", resourceInApply, processExit] },
  },
  {
    files: ["ops/**/*.ts", "toolchain/**/*.ts", "rehearsal/**/*.ts", "bench/**/*.ts", "test/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", processExit] },
  },
  {
    files: ["test/**/*.ts", "rehearsal/test/**/*.ts"],
    rules: { "max-lines-per-function": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
);
