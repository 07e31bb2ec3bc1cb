/**
 * Keys of other namespaces that a preflight needs, found without a second parse of the file: a parser's error would show
 * the lines around it. A value that is encrypted or not plain is there, and unknown.
 */
export interface OtherKeys {
  readonly tokenPresent: boolean;
  /** Secret: never printed. Undefined where it is encrypted. */
  readonly token: string | undefined;
  readonly endpoint: string | undefined;
}

export function otherKeys(text: string, env: Readonly<Record<string, string | undefined>>): OtherKeys {
  const [first = ""] = text.split(/^---\s*$/m).filter((document) => document.trim() !== "");
  const given = valueOf(first, "hcloud:token");
  const fromEnv = env["HCLOUD_TOKEN"] === "" ? undefined : env["HCLOUD_TOKEN"];
  const plain = given === undefined || given === "" ? undefined : given;
  return {
    tokenPresent: given !== undefined || fromEnv !== undefined,
    token: given === undefined ? fromEnv : plain,
    endpoint: valueOf(first, "hcloud:endpoint"),
  };
}

/** Empty where something stands there that is no plain text on that line. */
function valueOf(text: string, key: string): string | undefined {
  const line = new RegExp(`^\\s+["']?${key}["']?\\s*:(?<value>.*)$`, "m").exec(text);
  if (line === null) return undefined;
  const value = (line.groups?.["value"] ?? "").replace(/\s+#.*$/, "").trim();
  return /^[[{&*|>!]/.test(value) ? "" : value.replace(/^(["'])(.*)\1$/, "$2");
}
