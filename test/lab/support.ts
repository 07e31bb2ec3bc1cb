/** A lab on a real engine for tests, what is on it, and a cluster's own mark that has to survive. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { kubernetesClient } from "../../ops/clients/kubernetes";
import { startRealEngine } from "../../rehearsal/real-docker-engine";
import type { RealEngine } from "../../rehearsal/real-docker-engine";
import type { RunResult } from "../../rehearsal/session";
import { openRealLab, provideNodeImages } from "../../rehearsal/session/real-lab";
import type { RealLab } from "../../rehearsal/session/real-lab-stack";
import { provideTools } from "../../rehearsal/tools";
import { succeeded } from "../engine/support/open";

export const checkout = resolve(__dirname, "../..");

export interface LabRig {
  readonly engine: RealEngine;
  readonly lab: RealLab;
  /** Ends lab and engine; throws when they leave a file. */
  end(): Promise<void>;
}

/** An engine of this test's own with images of these Talos versions, and a lab of this checkout on it. */
export async function startLabRig(
  versions: readonly string[],
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<LabRig> {
  const tools = await provideTools(checkout, (line) => void process.stderr.write(`${line}\n`));
  const dir = mkdtempSync("/tmp/tf-lab-");
  const engine = await startRealEngine({ dir });
  try {
    await provideNodeImages(engine.host, tools, versions);
    const lab = await openRealLab({ root: checkout, tools, host: engine.host, overrides });
    const end = async (): Promise<void> => {
      await lab.close();
      await engine.stop();
      const left = readdirSync(dir);
      rmSync(dir, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`the engine leaves ${left.join(", ")}`);
    };
    return { engine, lab, end };
  } catch (error) {
    await engine.stop();
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
}

/** Runs `talos-fleet verify` and gives its lines; throws with those that fail. */
export async function verified(lab: RealLab, stack: string): Promise<string[]> {
  const { code, stdout, stderr } = await lab.command(["verify", "--stack", stack]);
  const lines = stdout.trim().split("\n");
  const bad = lines.filter((line) => !line.startsWith("pass"));
  if (code !== 0)
    throw new Error(`verify --stack ${stack} (exit code ${code}):\n${bad.join("\n")}\n${stderr}`);
  return lines;
}

interface Inspected {
  readonly Id: string;
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[] | null>>;
    readonly Networks: Readonly<Record<string, { readonly IPAddress: string }>>;
  };
}

export const inspect = (lab: RealLab, node: string): Promise<Inspected> =>
  lab.client.call<Inspected>(`/containers/${node}/json`);

/** Where a node is: its addresses by network, its published ports. */
export async function whereabouts(lab: RealLab, node: string): Promise<unknown> {
  const { NetworkSettings: settings } = await inspect(lab, node);
  const addresses = Object.entries(settings.Networks).map(([name, { IPAddress }]) => `${name} ${IPAddress}`);
  const ports = Object.entries(settings.Ports).flatMap(([inner, outer]) =>
    (outer ?? []).map(({ HostIp, HostPort }) => `${inner} ${HostIp}:${HostPort}`),
  );
  return { addresses, ports: ports.sort() };
}

/** How often this container has founded etcd. */
export async function foundings(lab: RealLab, node: string): Promise<number> {
  const log = await lab.client.call<string>(`/containers/${node}/logs`, {
    query: { stdout: "1", stderr: "1" },
  });
  return log.split("bootstrapped etcd").length - 1;
}

async function api(lab: RealLab, stack: string): Promise<ReturnType<typeof kubernetesClient>> {
  const outputs = succeeded(await lab.pulumi(stack, ["stack", "output", "--json", "--show-secrets"]));
  return kubernetesClient((JSON.parse(outputs.stdout) as { kubeconfig: string }).kubeconfig);
}

const MAPS = "/api/v1/namespaces/default/configmaps";

/** Puts an object into the cluster that only its etcd holds. */
export async function leaveMark(lab: RealLab, stack: string): Promise<void> {
  const mark = { metadata: { name: "mark" }, data: { stack } };
  const { status } = await (await api(lab, stack)).post(MAPS, mark);
  if (status !== 201) throw new Error(`the mark was not taken: status ${status}`);
}

/** What the mark says; undefined when it is gone. */
export async function markOf(lab: RealLab, stack: string): Promise<unknown> {
  const { data } = await (await api(lab, stack)).get<{ data?: { stack?: unknown } }>(`${MAPS}/mark`);
  return data.data?.stack;
}

/** Refresh, then up: how a user mends what changed behind the program's back. */
export async function mended(lab: RealLab, stack: string): Promise<{ refresh: RunResult; up: RunResult }> {
  return { refresh: succeeded(await lab.refresh(stack)), up: succeeded(await lab.up(stack)) };
}
