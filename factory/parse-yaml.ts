import { type Document, LineCounter, parseAllDocuments, type YAMLError } from "yaml";
import { lineWithin } from "../base/yaml";
import type { Findings } from "./read-fault";

/** Characters the factory's YAML reader refuses anywhere in the text. */
const forbidden = /[^\t\n\r\x20-\x7E\x85\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
/** Line breaks to YAML 1.1 but not to YAML 1.2. */
const oldBreaks = /[\x85\u2028\u2029]/;

export interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lineOf: (offset: number) => number;
}

/** Parses the first document; undefined with a fault when there is none or it is not YAML as the factory reads it. */
export function parseYaml(input: string, findings: Findings): ParsedYaml | undefined {
  const text = input.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (refusedAtOnce(text, findings)) return undefined;
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, {
    schema: "failsafe",
    resolveKnownTags: false,
    uniqueKeys: false,
    logLevel: "silent",
    lineCounter: counter,
    keepSourceTokens: true,
  });
  const [first] = Array.from(documents) as (Document.Parsed | undefined)[];
  if (!first) {
    emptyFault(findings);
    return;
  }
  if (documents.length > 1)
    findings.notes.push("Only the first YAML document counts; the rest of the file is ignored.");
  const [error] = first.errors;
  if (error) {
    syntaxFault(error, text, findings);
    return;
  }
  return { document: first, lineOf: (offset) => counter.linePos(offset).line };
}

function refusedAtOnce(text: string, findings: Findings): boolean {
  if (!hasContent(text)) emptyFault(findings);
  else controlFault(text, findings);
  if (findings.faults.length === 0) endFault(text, findings);
  versionFault(text, findings);
  return findings.faults.length > 0;
}

/** Comments, directives and `...` alone are no document. */
function hasContent(text: string): boolean {
  return text.split("\n").some((line) => !/^(?:[ \t]*(?:#.*)?|%.*|\.\.\.[ \t]*)$/.test(line));
}

function controlFault(text: string, findings: Findings): void {
  const control = forbidden.exec(text) ?? oldBreaks.exec(text);
  if (!control) return;
  const value = `U+${(control[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const rule = "control characters and unusual line breaks are not allowed";
  const repair = 'remove it, or write it as an escape inside "double quotes"';
  const line = lineAt(text, control.index);
  findings.faults.push({ key: "", value, rule, repair, line, library: "control characters are not allowed" });
}

/** Up to D3 the library refuses it; later ones skip it, while this parser takes it for an empty document. */
function endFault(text: string, findings: Findings): void {
  const first = text.split("\n").find((line) => !/^(?:[ \t]*(?:#.*)?|%.*)$/.test(line)) ?? "";
  if (!/^\.\.\.(?:[ \t]|$)/.test(first)) return;
  const [rule, repair] = ["a document must not start with its end", "remove that line"];
  findings.faults.push({
    key: "",
    value: "...",
    rule,
    repair,
    line: 1,
    library: "did not find expected node content",
  });
}

function versionFault(text: string, findings: Findings): void {
  const version = /^%YAML[ \t]+(\S+)/m.exec(text.split(/^---/m, 1)[0] ?? "")?.[1];
  if (version === undefined || version === "1.1") return;
  const [rule, repair] = ["the factory reads YAML 1.1 only", "remove that line"];
  const library = "found incompatible YAML document";
  findings.faults.push({ key: "", value: `%YAML ${version}`, rule, repair, line: 1, library });
}

function emptyFault(findings: Findings): undefined {
  const rule = "a schematic must not be empty";
  const repair = "write `customization: {}` for a plain image";
  findings.faults.push({ key: "", value: "(empty)", rule, repair, line: 0, library: "EOF" });
}

function syntaxFault(error: YAMLError, text: string, findings: Findings): undefined {
  const message = (error.message.split("\n", 1)[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
  const line = lineWithin(text, error.linePos?.[0].line ?? 0);
  const rule = `this is not valid YAML: ${message}`;
  const library = error.code === "TAB_AS_INDENT" ? "found character that cannot start any token" : message;
  findings.faults.push({ key: "", value: `line ${line}`, rule, repair: "correct the text", line, library });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
