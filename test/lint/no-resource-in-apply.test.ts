/** The project's own lint rule, on what it must find and what it must leave alone. */
import { join } from "node:path";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";

import { noResourceInApply } from "../../lint/no-resource-in-apply";

jest.setTimeout(60_000);

const root = join(__dirname, "../..");
/** Any file that the project's types know. */
const filePath = join(root, "components/operation.ts");
const plugin = { rules: { "no-resource-in-apply": noResourceInApply } } as unknown as ESLint.Plugin;
const parser = tseslint.parser as never;
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  overrideConfig: {
    files: ["**/*.ts"],
    languageOptions: { parser, parserOptions: { projectService: true, tsconfigRootDir: root } },
    plugins: { "talos-fleet": plugin },
    rules: { "talos-fleet/no-resource-in-apply": "error" },
  },
});

const head = `
import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
const { Command } = command.local;
class Part extends pulumi.ComponentResource {}
const make = (name: string) => new command.local.Command(name, {});
function quietly(name: string): void { make(name); }
const facts = (name: string) => new Map([[name, new Date()]]);
export const id = pulumi.output("a");
`;

async function found(code: string): Promise<string[]> {
  const [result] = await eslint.lintText(`${head}${code}\n`, { filePath });
  return (result?.messages ?? [])
    .filter(({ ruleId, fatal }) => ruleId === "talos-fleet/no-resource-in-apply" || fatal === true)
    .map(({ message }) => message);
}

test.each([
  ["a resource of a namespace", "id.apply((name) => new command.local.Command(name, {}));"],
  ["a plain constructor", "id.apply((name) => new Command(name, {}));"],
  ["a component", 'id.apply((name) => new Part("t", name));'],
  ["a function that makes one", "id.apply((name) => make(name));"],
  ["a function that says nothing of it", "id.apply((name) => { quietly(name); });"],
  ["a function by its name", "id.apply(make);"],
  [
    "behind a condition, in a block",
    "id.apply((name) => { if (name) { return [make(name)]; } return []; });",
  ],
])("found: %s", async (_what, code) => {
  expect(await found(code)).toEqual(["Nothing is created inside apply: previews would not show it."]);
});

test.each([
  ["plain values", "id.apply((name) => new Map([[name, new Error(name)]]));"],
  ["a function that gives plain values", "id.apply((name) => facts(name));"],
  ["outside of apply", 'make("x");'],
])("left alone: %s", async (_what, code) => {
  expect(await found(code)).toEqual([]);
});
