/** What talosctl said of a config, in lines for a fault, without values that may be secret. */
import { isMappingValue } from "../../base/paths";
import type { Patch } from "../../agreed/types";

/** The single complaints of a message: multierror's nested lists end in the lines that matter. */
export function complaints(said: string): readonly string[] {
  if (/^panic: /m.test(said)) return ["talosctl stops with a panic on it"];
  const lines = said.split("\n").map((line) => line.trim());
  const items = lines
    .filter((line) => line.startsWith("* "))
    .map((line) => line.slice(2))
    .filter((line) => !/\d+ errors? occurred:$/.test(line));
  if (items.length > 0) return [...new Set(items)];
  const text = lines.filter((line) => line !== "" && line !== "generating PKI and tokens").join(" ");
  const last = text.includes("unknown keys found during decoding")
    ? "it holds keys that Talos does not know"
    : text
        .replace(/^failed to generate config bundle: /, "")
        .replace(/^.*construct errors: /, "")
        .replace(/^line \d+: /, "");
  return [last === "" ? "talosctl gives no reason" : last];
}

const secretKey = /token|secret|password|passphrase|auth|key|cert|env|variables|content|headers|credential/i;

/** Every value that the patches hold below a key that sounds like a secret; all of them where the stack file has secrets. */
export function secretsOf(patches: readonly Patch[], all: boolean): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown, isSecret: boolean): void => {
    if (Array.isArray(value)) value.forEach((item) => walk(item, isSecret));
    else if (isMappingValue(value))
      for (const [key, item] of Object.entries(value)) walk(item, isSecret || secretKey.test(key));
    else if (isSecret && (typeof value === "string" || typeof value === "number"))
      for (const form of formsOf(String(value))) found.add(form);
  };
  patches.forEach(({ documents }) => walk(documents, all));
  return [...found].filter((text) => text !== "").sort((one, other) => other.length - one.length);
}

/** As it is, as Go quotes it, and line by line: a complaint may tell any of them. */
const formsOf = (text: string): readonly string[] =>
  [text, ...text.split("\n")].flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);

const hidden = "(not shown)";

/** Takes secrets out, and pieces of them that stand in quotes; a password in an address as well. */
export function masked(text: string, secrets: readonly string[]): string {
  const bare = secrets.reduce(
    (rest, secret) => (secret.length < 3 ? rest : rest.split(secret).join(hidden)),
    text,
  );
  return bare
    .replace(/:\/\/[^\s/"'`]*@/g, `://${hidden}@`)
    .replace(/(["'`])((?:(?!\1).)+)\1/g, (whole, _quote: string, inner: string) => {
      const piece = inner.replace(/\.\.\.$/, "");
      return secrets.some((secret) => secret === piece || (piece.length > 2 && secret.includes(piece)))
        ? hidden
        : whole;
    });
}
