/**
 * The project's own lint configuration, of the rules under test alone: the others' work would be most of the time.
 * Rules that need no types get none, since these take ten seconds to load.
 */
import { join } from "node:path";
import { ESLint } from "eslint";

import config from "../../eslint.config";

export const root = join(__dirname, "../..");

export function eslintWithOnly(rules: readonly string[], types: "typed" | "untyped"): ESLint {
  const overrideConfig = config.map((part) => {
    if (part.rules === undefined) return part;
    return {
      ...part,
      rules: Object.fromEntries(Object.entries(part.rules).filter(([name]) => rules.includes(name))),
    };
  });
  const untyped = { languageOptions: { parserOptions: { project: null } } };
  if (types === "untyped") overrideConfig.push(untyped);
  return new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig });
}
