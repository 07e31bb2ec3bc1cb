/**
 * The project's own lint configuration, of the rules under test alone: the others' work would be most of the time.
 * Rules that need no types get none, since these take ten seconds to load.
 */
import { join } from "node:path";
import { ESLint, type Linter } from "eslint";

import config from "../../eslint.config";

const root = join(__dirname, "../..");

/** What these rules, or the parser, have against a file (relative to the project) of a text. */
type Against = (file: string, code: string) => Promise<readonly Linter.LintMessage[]>;

export function lintWithOnly(rules: readonly string[], types: "typed" | "untyped"): Against {
  const overrideConfig = config.map((part) => {
    if (part.rules === undefined) return part;
    return {
      ...part,
      rules: Object.fromEntries(Object.entries(part.rules).filter(([name]) => rules.includes(name))),
    };
  });
  // With CI=true the parser takes types from the disk once and for all, not from the texts of the tests.
  const typed = { disallowAutomaticSingleRunInference: true };
  const parserOptions = types === "typed" ? typed : { project: null };
  overrideConfig.push({ languageOptions: { parserOptions } });
  const eslint = new ESLint({ cwd: root, overrideConfigFile: true, overrideConfig });
  return async (file, code) => {
    const [result] = await eslint.lintText(`${code}\n`, { filePath: join(root, file) });
    return (result?.messages ?? []).filter(
      ({ ruleId, fatal }) => fatal === true || rules.includes(ruleId ?? ""),
    );
  };
}
