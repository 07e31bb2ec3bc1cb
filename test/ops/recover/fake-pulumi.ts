/** A stack's state in memory, behind the calls of the pulumi CLI that recovering makes. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pulumi } from "../../../ops/clients/pulumi";

export interface FakeResource {
  readonly type: string;
  readonly name: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly id?: string;
  readonly provider?: string;
}

export interface FakeOperation {
  readonly type: string;
  readonly resource: FakeResource;
}

const SECRET = "4dabf18193072939515e22adb298388d";
const urnOf = ({ type, name }: FakeResource): string => `urn:pulumi:lab::talos-fleet::${type}::${name}`;

/** `{ secretValue }` as Pulumi writes a secret, opened or sealed. */
function sealed(value: unknown, open: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => sealed(item, open));
  if (typeof value !== "object" || value === null) return value;
  const { secretValue } = value as { secretValue?: string };
  if (secretValue !== undefined) {
    const mark = { [SECRET]: "1b47061264138c4ac30d75fd1eb44270" };
    return open ? { ...mark, plaintext: JSON.stringify(secretValue) } : { ...mark, ciphertext: "v1:xyz" };
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, sealed(item, open)]));
}

export interface FakeStack {
  readonly pulumi: Pulumi;
  /** Calls other than whoami, in order. */
  readonly calls: string[];
  /** Names of the pending operations now. */
  pending(): string[];
  /** What was imported last. */
  imported(): { text: string; mode: string } | undefined;
  end(): void;
}

export interface FakeStackOptions {
  readonly resources?: readonly FakeResource[];
  readonly pending?: readonly FakeOperation[];
  readonly exists?: boolean;
  /** How many imports fail before one succeeds, as if the run had been killed there. */
  failingImports?: number;
}

export function fakeStack(options: FakeStackOptions): FakeStack {
  const folder = mkdtempSync(join(tmpdir(), "fake-backend-"));
  const calls: string[] = [];
  let pending = (options.pending ?? []).map(({ type, resource }) => ({ type, resource: written(resource) }));
  let imported: { text: string; mode: string } | undefined;
  let failing = options.failingImports ?? 0;
  const resources = (options.resources ?? []).map(written);

  const answers: Record<string, (args: readonly string[]) => string> = {
    "stack export": (args) => {
      const deployment = { manifest: { version: "v3" }, resources, pending_operations: pending };
      return JSON.stringify(sealed({ version: 3, deployment }, args.includes("--show-secrets")));
    },
    "stack import": (args) => {
      if (failing-- > 0) throw new Error("killed");
      const file = args.at(-1) ?? "";
      const text = readFileSync(file, "utf8");
      imported = { text, mode: (statSync(file).mode & 0o777).toString(8) };
      pending = (JSON.parse(text) as { deployment: { pending_operations: typeof pending } }).deployment
        .pending_operations;
      return "";
    },
    "cancel --yes": () => "",
  };
  const pulumi: Pulumi = async (args) => {
    if (args[0] === "whoami") {
      return { ok: true, stdout: JSON.stringify({ url: `file://${folder}` }), stderr: "" };
    }
    const call = args.slice(0, 2).join(" ");
    calls.push(call);
    if (options.exists === false)
      return { ok: false, stdout: "", stderr: "error: no stack named 'lab' found" };
    return { ok: true, stdout: answers[call]!(args), stderr: "" };
  };
  return {
    pulumi,
    calls,
    pending: () => pending.map(({ type, resource: { urn } }) => `${type} ${urn.split("::").at(-1) ?? ""}`),
    imported: () => imported,
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const written = (resource: FakeResource) => ({
  urn: urnOf(resource),
  custom: true,
  type: resource.type,
  inputs: resource.inputs ?? {},
  ...(resource.id === undefined ? {} : { id: resource.id }),
  ...(resource.provider === undefined ? {} : { provider: resource.provider }),
});
