import { join } from "node:path";
import { z } from "zod";

import { kubernetesClient } from "../../ops/clients/kubernetes";
import type { Session } from "../session";
import { runCommand } from "../session/run";
import { DemoError } from "./steps";

export interface SeenNode {
  readonly name: string;
  readonly ready: boolean;
  readonly kubelet: string;
}

const nodeList = z.looseObject({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string() }),
      status: z.looseObject({
        conditions: z.array(z.looseObject({ type: z.string(), status: z.string() })).default([]),
        nodeInfo: z.looseObject({ kubeletVersion: z.string() }),
      }),
    }),
  ),
});

/** The nodes as the Kubernetes API lists them. */
export async function kubernetesNodes(kubeconfig: string): Promise<readonly SeenNode[]> {
  const { data } = await kubernetesClient(kubeconfig).get<unknown>("/api/v1/nodes");
  return nodeList.parse(data).items.map(({ metadata, status }) => ({
    name: metadata.name,
    ready: status.conditions.some(({ type, status: value }) => type === "Ready" && value === "True"),
    kubelet: status.nodeInfo.kubeletVersion,
  }));
}

const LIMIT_MS = 60_000;

/** `talos-fleet verify`, as a person runs it; gives its lines. */
export async function fleetVerify(session: Session): Promise<readonly string[]> {
  const args = [join(session.project, "bin/talos-fleet"), "verify", "--stack", session.stack];
  const call = { command: process.execPath, args, cwd: session.project, env: session.env };
  const { code, stdout, stderr } = await runCommand(call, { timeoutMs: LIMIT_MS });
  const lines = stdout.trim().split("\n");
  if (code === 0) return lines;
  const failed = lines.filter((line) => !line.startsWith("pass"));
  throw new DemoError(`talos-fleet verify:\n${[...failed, stderr].join("\n")}`);
}
