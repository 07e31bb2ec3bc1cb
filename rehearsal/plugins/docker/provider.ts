import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

import { Unknown, type Props } from "../framework/types";
import { text } from "../framework/values";
import { dockerClient, tlsFromFolder, type DockerClient, type TlsMaterial } from "./client";

const DEFAULT_HOST = "unix:///var/run/docker.sock";

/** The plugin's default for `host`. */
export const defaultHost = (): string => process.env["DOCKER_HOST"] ?? DEFAULT_HOST;

interface ContextMeta {
  readonly Name?: string;
  readonly Endpoints?: { readonly docker?: { readonly Host?: string } };
}

/** As the plugin does it: by name, in `~/.docker` only, and nothing but the host. */
function contextHost(name: string): string {
  const folder = join(homedir(), ".docker", "contexts", "meta");
  const metas = (existsSync(folder) ? readdirSync(folder) : [])
    .map((entry) => join(folder, entry, "meta.json"))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, "utf8")) as ContextMeta);
  const host = metas.find((meta) => meta.Name === name)?.Endpoints?.docker?.Host;
  if (host === undefined) throw new Error(`Docker context '${name}' not found`);
  return host;
}

function tlsOf(args: Props): TlsMaterial | undefined {
  const [ca, cert, key] = [text(args, "caMaterial"), text(args, "certMaterial"), text(args, "keyMaterial")];
  if (ca !== undefined && cert !== undefined && key !== undefined) return { ca, cert, key };
  const folder = text(args, "certPath") ?? process.env["DOCKER_CERT_PATH"] ?? "";
  return folder === "" ? undefined : tlsFromFolder(folder);
}

/** The client for the provider's arguments; undefined while the host is not known (previews only). */
export function clientOf(args: Props): DockerClient | undefined {
  if (args["host"] instanceof Unknown || args["context"] instanceof Unknown) return undefined;
  const context = text(args, "context") ?? process.env["DOCKER_CONTEXT"] ?? "";
  const host = context === "" ? (text(args, "host") ?? defaultHost()) : contextHost(context);
  const tls = tlsOf(args);
  return dockerClient({ host, ...(tls === undefined ? {} : { tls }) });
}

/** The plugin pings in previews too; only an engine behind SSH is not asked. */
export async function checkReachable(client: DockerClient | undefined): Promise<void> {
  if (client === undefined || client.host.startsWith("ssh://")) return;
  try {
    await client.ping();
  } catch {
    throw new Error(
      "docker native provider returned an unexpected error from Configure: failed to connect to any docker daemon",
    );
  }
}
