import { request } from "node:https";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

import type { Session } from "../session";
import { runCommand } from "../session/run";
import { DemoError } from "./steps";

export interface SeenNode {
  readonly name: string;
  readonly ready: boolean;
  readonly kubelet: string;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  }[];
  readonly users: readonly {
    readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string };
  }[];
}

interface NodeList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly status: {
      readonly conditions?: readonly { readonly type: string; readonly status: string }[];
      readonly nodeInfo?: { readonly kubeletVersion?: string };
    };
  }[];
}

const LIMIT_MS = 10_000;

const decode = (base64: string): Buffer => Buffer.from(base64, "base64");

/** GET of the Kubernetes API with what a kubeconfig holds, its certificate checked. */
async function getFrom(kubeconfig: string, path: string): Promise<string> {
  const { clusters, users } = parse(kubeconfig) as Kubeconfig;
  const cluster = clusters[0]?.cluster;
  const user = users[0]?.user;
  if (cluster === undefined || user === undefined)
    throw new DemoError("the kubeconfig output names no cluster or no user");
  const tls = {
    ca: decode(cluster["certificate-authority-data"]),
    cert: decode(user["client-certificate-data"]),
    key: decode(user["client-key-data"]),
  };
  return new Promise((resolve, reject) => {
    const call = request(new URL(path, cluster.server), { ...tls, timeout: LIMIT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    call.on("timeout", () =>
      call.destroy(new Error(`${cluster.server}: no answer within ${LIMIT_MS / 1000} s`)),
    );
    call.on("error", reject);
    call.end();
  });
}

/** The nodes as the Kubernetes API lists them. */
export async function kubernetesNodes(kubeconfig: string): Promise<readonly SeenNode[]> {
  const list = JSON.parse(await getFrom(kubeconfig, "/api/v1/nodes")) as NodeList;
  return list.items.map(({ metadata, status }) => ({
    name: metadata.name,
    ready:
      status.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True") ?? false,
    kubelet: status.nodeInfo?.kubeletVersion ?? "?",
  }));
}

/** Runs the real talosctl with the stack's talosconfig. */
export async function talosctl(
  session: Session,
  talosconfig: string,
  args: readonly string[],
): Promise<string> {
  const folder = join(session.folder, "verify");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, "talosconfig");
  writeFileSync(file, talosconfig, { mode: 0o600 });
  const command = { command: session.env["TALOSCTL"] ?? "talosctl", cwd: folder, env: session.env };
  const result = await runCommand(
    { ...command, args: ["--talosconfig", file, ...args] },
    { timeoutMs: 30_000 },
  );
  if (result.code !== 0)
    throw new DemoError(`talosctl ${args.join(" ")} failed:\n${result.stdout}${result.stderr}`);
  return result.stdout;
}
