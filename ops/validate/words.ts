/** What talosctl said of a config, in lines for a fault, without values that may be secret. */
import { isMappingValue } from "../../base/paths";
import { mayBeSecret, veiled } from "../../base/show";
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
const addressKey = /url|endpoint|server|address|manifest|proxy/i;

/** A scheme, a host and a port: where there is more, it may be a user, a token, or a path that is known to few. */
const bareAddress = /^([a-z][a-z\d+.-]*:\/\/)?(\[[\da-f:.%]+\]|[\w.-]+|[\da-f:.]+)(:\d+)?(\/\d+)?\/?$/i;

const isAddress = (text: string): boolean => text.includes("://") || /\S+:\S+@/.test(text);

/**
 * What may not be told of the patches: every value below a key that sounds like a secret; every address with more than a
 * host, and what its parts are; all values where the stack file has secrets.
 */
export function secretsOf(patches: readonly Patch[], all: boolean): readonly string[] {
  const found = new Set<string>();
  const add = (text: string, key: string, isSecret: boolean): void => {
    const isHidden = isSecret || mayBeSecret(text);
    const mayHide = isHidden || isAddress(text) || addressKey.test(key);
    if (!mayHide || (!isHidden && bareAddress.test(text))) return;
    for (const part of [text, ...partsOf(text)]) for (const form of formsOf(part)) found.add(form);
  };
  const walk = (value: unknown, key: string, isSecret: boolean): void => {
    if (Array.isArray(value)) value.forEach((item) => walk(item, key, isSecret));
    else if (isMappingValue(value))
      for (const [name, item] of Object.entries(value)) {
        if (mayBeSecret(name)) add(name, name, isSecret);
        walk(item, name, isSecret || secretKey.test(name));
      }
    else if (typeof value === "string") add(value, key, isSecret);
    else if (typeof value === "number" && isSecret) add(String(value), key, isSecret);
  };
  patches.forEach(({ documents }) => walk(documents, "", all));
  return [...found].filter((text) => text !== "").sort((one, other) => other.length - one.length);
}

/** Who logs in, with what, and the values of a query: a message may tell one of them alone. */
function partsOf(text: string): readonly string[] {
  const login = /^(?:[a-z][a-z\d+.-]*:\/\/)?(.+)@/is.exec(text)?.[1] ?? "";
  const query = /[?#](.*)$/s.exec(text)?.[1] ?? "";
  const parts = [
    login,
    ...login.split(":"),
    query,
    ...query.split(/[&#]/).map((pair) => pair.replace(/^[^=]*=/, "")),
  ];
  return [...parts, ...parts.map(decoded)].filter((part) => part.length >= SHORTEST);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** As it is, as Go quotes it, and line by line: a complaint may tell any of them, its lines without their ends. */
const formsOf = (text: string): readonly string[] =>
  [text, ...text.split("\n")].flatMap((form) => [form, form.trim(), JSON.stringify(form).slice(1, -1)]);

const hidden = "(not shown)";
/** Less than this would be found in every word. */
const SHORTEST = 3;

/**
 * Takes secrets out, and pieces of them that stand in quotes; then whatever looks like a login, a token or a query, for
 * Talos may write an address anew before it tells it.
 */
export function masked(text: string, secrets: readonly string[]): string {
  const bare = without(text, secrets);
  const quotes = /"(?:\\.|[^"\\])+"|'(?:\\.|[^'\\])+'|`[^`]+`/g;
  const quoted = bare.replace(quotes, (whole) => {
    const piece = whole.slice(1, -1);
    return isPieceOf(piece.replace(/\.\.\.$/, ""), secrets) || mayBeSecret(piece) ? hidden : whole;
  });
  return veiled(quoted);
}

/** At once, or one secret would be looked for in what stands for another. Talos lowers the case of some. */
function without(text: string, secrets: readonly string[]): string {
  const sought = secrets.filter((secret) => secret.length >= SHORTEST);
  if (sought.length === 0) return text;
  const literally = sought.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  return text.replace(new RegExp(literally.join("|"), "gi"), hidden);
}

const isPieceOf = (piece: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => secret === piece || (piece.length >= SHORTEST && secret.includes(piece)));
