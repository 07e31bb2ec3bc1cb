import { excerpt } from "./read-fault";
import { type Field, isNull, refuseType } from "./read-fields";
import type { OptionMap, OptionValue } from "./types";
import { childPath, type SourceNode } from "./source-tree";

/**
 * `overlay.options`: strings, bools, safe integers, null, lists and maps with text keys. Floats and bare dates, which
 * the library rewrites, are refused: quoted they mean the same to an overlay.
 */
export function readOptions(field: Field): OptionMap {
  if (isNull(field.node)) return {};
  if (field.node.kind === "map") return readOptionMap(field, field.node);
  refuseType(field, "a map", "map[string]interface {}");
  return {};
}

function readOptionMap({ path, findings }: Field, node: Extract<SourceNode, { kind: "map" }>): OptionMap {
  const entries = node.entries.map(({ key, value }): [string, OptionValue] => {
    const name = key.kind === "scalar" ? key.text : "(a list or map)";
    const keyPath = childPath(path, name);
    const problem = keyProblem(key);
    if (problem !== undefined) {
      const rule = `an option's key must be ${problem}`;
      const repair = "use short text, in quotes where needed";
      findings.faults.push({
        key: keyPath,
        value: "key",
        rule,
        repair,
        line: key.line,
        library: `invalid map key: ${name}`,
      });
    }
    return [name, readOption({ node: value, path: keyPath, findings })];
  });
  return Object.fromEntries(entries);
}

/** Other keys are dropped, sorted apart or written in a form of their own. */
function keyProblem(key: SourceNode): string | undefined {
  if (key.kind !== "scalar" || key.word.kind !== "string")
    return "text, not a number, date, true, false or null";
  if (/[\n\r\x85\u2028\u2029]/.test(key.text)) return "a single line";
  if (/\d{19}/.test(key.text)) return "without runs of more than 18 digits";
  return Buffer.byteLength(key.text, "utf8") > 128 ? "at most 128 bytes long" : undefined;
}

function readOption(field: Field): OptionValue {
  const { node, path, findings } = field;
  if (node.kind === "map") return readOptionMap(field, node);
  if (node.kind === "list") {
    return node.items.map((item, index) =>
      readOption({ node: item, path: childPath(path, index), findings }),
    );
  }
  const { word, text } = node;
  if (word.kind === "string") return text;
  if (word.kind === "null") return null;
  if (word.kind === "bool") return word.value;
  const value = word.kind === "int" ? Number(word.value) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  const rule = "options may hold text, true, false, null, lists, maps and whole numbers up to 2^53";
  const library = `cannot construct !!${word.kind} \`${text}\` into interface {}`;
  findings.faults.push({
    key: path,
    value: excerpt(text),
    rule,
    repair: "write it in quotes",
    line: node.line,
    library,
  });
  return null;
}
