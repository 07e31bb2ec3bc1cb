import type { ReadFault } from "../../factory/read-fault";
import type { Dialect } from "../../factory/types";

/** The text of a 400 answer in the words of the dialect's YAML library. */
export function refusal(faults: readonly ReadFault[], dialect: Dialect): string {
  const [first] = faults;
  if (!first) return "";
  if (first.library === "EOF") return "EOF";
  if (isSyntax(first)) return syntaxError(first, dialect);
  const lines = faults.map(({ line, library }) => `line ${line}: ${library}`);
  if (dialect === "D3") return `yaml: construct errors:\n  ${lines.join("\n  ")}`;
  if (dialect === "D4" || dialect === "D5") return `yaml: construct errors: ${lines.join("; ")}`;
  return `yaml: unmarshal errors:\n  ${lines.join("\n  ").replaceAll("cannot construct", "cannot unmarshal")}`;
}

/** Errors of the text as a whole carry no key; only a document that is no map at all shares that. */
function isSyntax({ key, library }: ReadFault): boolean {
  return key === "" && !library.startsWith("cannot construct");
}

function syntaxError({ line, library }: ReadFault, dialect: Dialect): string {
  if (dialect === "D3") return `yaml: while scanning for the next token at line ${line}: ${library}`;
  if (dialect !== "D4") return `yaml: line ${line}: ${library}`;
  return `go-yaml load error in scanner (while scanning for the next token) at L${line}.C1: ${library}`;
}
