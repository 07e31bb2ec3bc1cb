/** Docker contexts on disk, as `docker context create` writes them. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface WrittenContext {
  /** The configuration folder: `~/.docker`, or what DOCKER_CONFIG says. */
  readonly folder: string;
  readonly name: string;
  readonly host: string;
  /** File names (`ca.pem`) and their contents. */
  readonly tls?: Readonly<Record<string, string>>;
}

export function writeContext({ folder, name, host, tls = {} }: WrittenContext): void {
  const id = createHash("sha256").update(name).digest("hex");
  const meta = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
  write(join(folder, "contexts/meta", id, "meta.json"), JSON.stringify(meta));
  for (const [file, text] of Object.entries(tls))
    write(join(folder, "contexts/tls", id, "docker", file), text);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
