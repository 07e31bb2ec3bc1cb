import type { Scalar } from "yaml";
import { type PlainWord, plainWord } from "./plain-word";
import { excerpt, type Findings } from "./read-fault";
import type { SourceScalar } from "./source-tree";

const string: PlainWord = { kind: "string" };
const standard = "tag:yaml.org,2002:";
const typedTags = new Set(["int", "float", "bool", "null", "timestamp"]);

interface Place {
  readonly path: string;
  readonly line: number;
}

export function nullScalar(line: number): SourceScalar {
  return { kind: "scalar", line, text: "", word: { kind: "null" } };
}

/** What the library makes of one scalar: by its tag if it is a standard one, else by its quotes, else by its word. */
export function composeScalar(node: Scalar, place: Place, findings: Findings): SourceScalar {
  const text = String(node.value);
  const scalar = (word: PlainWord, value = text): SourceScalar => ({
    kind: "scalar",
    line: place.line,
    text: value,
    word,
  });
  refuseSurrogates(node, place, findings);
  const tag = node.tag === "!" ? undefined : node.tag;
  if (tag === undefined) return scalar(node.type === "PLAIN" ? plainWord(text) : string);
  const short = tag.startsWith(standard) ? tag.slice(standard.length) : "";
  if (short === "binary") return scalar(string, decodeBase64(text, place, findings));
  if (!typedTags.has(short)) return scalar(string);
  const word = plainWord(text);
  if (word.kind === short || (word.kind === "int" && short === "float")) return scalar(word);
  const rule = `the tag !!${short} does not fit the value`;
  const library = `cannot decode !!${word.kind} \`${text}\` as a !!${short}`;
  findings.faults.push({
    key: place.path,
    value: excerpt(text),
    rule,
    repair: "remove the tag",
    line: place.line,
    library,
  });
  return scalar(string);
}

function decodeBase64(text: string, place: Place, findings: Findings): string {
  const compact = text.replace(/[\r\n]/g, "");
  const bytes = Buffer.from(compact, "base64");
  const decoded = bytes.toString("utf8");
  if (bytes.toString("base64") === compact && Buffer.from(decoded, "utf8").equals(bytes)) return decoded;
  const rule = "!!binary must hold UTF-8 text in base64";
  const library = "!!binary value contains invalid base64 data";
  findings.faults.push({
    key: place.path,
    value: excerpt(text),
    rule,
    repair: "write the text itself",
    line: place.line,
    library,
  });
  return "";
}

/** `\ud83d\ude00`: some JSON encoders write characters beyond U+FFFF so; the factory's library refuses it. */
function refuseSurrogates(node: Scalar, place: Place, findings: Findings): void {
  if (node.type !== "QUOTE_DOUBLE") return;
  const token = node.srcToken;
  const raw = token && "source" in token ? token.source : "";
  if (!/(?:^|[^\\])(?:\\\\)*\\(?:u|U0000)[dD][89a-fA-F][\da-fA-F]{2}/.test(raw)) return;
  findings.faults.push({
    key: place.path,
    value: excerpt(raw),
    rule: "surrogate escapes are not allowed",
    repair: "write the character itself or its \\U escape",
    line: place.line,
    library: "found invalid Unicode character escape code",
  });
}
