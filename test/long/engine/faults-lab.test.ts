/** The lab: whatever a run fails on, the next run after the cure ends where an undisturbed one does. */
import { parse } from "yaml";
import { readFileSync } from "node:fs";

import type { Session } from "../../../rehearsal/session";
import { askEngine, freeze, occupy } from "../../engine/support/broken";
import { stackFile, whileChanged } from "../../engine/support/change";
import { configureForOther } from "../../engine/support/foreign";
import { expectConverged } from "../../engine/support/converge";
import { failed, openStack, succeeded } from "../../engine/support/open";
import { inState, madeResources } from "../../engine/support/state";

jest.setTimeout(300_000);

const limits = { talosApi: 5, etcd: 10, kubernetesApi: 5, nodesReady: 20, coreDns: 10 };

let session: Session;

beforeEach(async () => (session = await openStack("lab", { "talos-fleet:limits": limits })));
afterEach(async () => session.close());

const ports = (): { talosPort: number; kubernetesPort: number } =>
  (parse(readFileSync(stackFile(session), "utf8")) as { config: Record<string, never> }).config[
    "talos-fleet:docker"
  ] as never;

/** The end that every cure must lead to. */
async function converges(): Promise<void> {
  await expectConverged(session);
  succeeded(await session.destroy());
  expect(session.world.leftovers()).toEqual([]);
}

test("the factory answers 503 for long", async () => {
  session.world.factory!.faults.add({
    path: /^\/schematics$/,
    status: 503,
    body: "no capacity\n",
    times: 100,
  });
  const text = failed(await session.up());
  expect(text).toMatch(/POST http:\/\/127\.0\.0\.1:\d+\/schematics: 503: no capacity/);
  expect(madeResources(await inState(session))).toEqual([]);
  expect(session.world.leftovers()).toEqual([]);
  session.world.factory!.faults.clear();
  await converges();
});

test("a port is taken", async () => {
  const free = await occupy(ports().talosPort);
  expect(failed(await session.up())).toMatch(/port is already allocated|address already in use/);
  await free();
  await converges();
});

test("another network holds the addresses", async () => {
  const body = { Name: "other", IPAM: { Config: [{ Subnet: "10.5.0.0/16" }] } };
  expect(await askEngine(session, "POST /networks/create", body)).toBe(201);
  expect(failed(await session.up())).toContain("Pool overlaps with other one on this address space");
  expect(await askEngine(session, "DELETE /networks/other")).toBe(204);
  await converges();
});

test("the engine answers 500", async () => {
  const answer = { status: 500, message: "the disk is full" };
  session.world.engine!.faults.requests.push({ match: /^POST \/containers\/create/, answer, times: 1 });
  expect(failed(await session.up())).toContain("the disk is full");
  await converges();
});

test("a container ends as soon as it starts", async () => {
  session.world.engine!.faults.exitAtOnce.add("lab-worker-1");
  expect(failed(await session.up())).toMatch(/lab-worker-1/);
  session.world.engine!.faults.exitAtOnce.clear();
  await converges();
});

test("a container cannot be started", async () => {
  session.world.engine!.faults.noVeth.add("lab-controlplane-1");
  expect(failed(await session.up())).toContain("operation not supported");
  session.world.engine!.faults.noVeth.clear();
  await converges();
});

test("a node never answers", async () => {
  const [result, goOn] = await Promise.all([session.up(), freeze(session, "lab-worker-1")]);
  expect(failed(result)).toMatch(/lab-worker-1-config/);
  goOn();
  await converges();
});

test("the control plane never answers", async () => {
  const [result, goOn] = await Promise.all([session.up(), freeze(session, "lab-controlplane-1")]);
  expect(failed(result)).toMatch(/lab-controlplane-1-config/);
  goOn();
  await converges();
});

test("the Kubernetes API does not come", async () => {
  let goOn: Promise<() => void> | undefined;
  const onLine = (line: string): void => {
    if (line.includes("lab-kubernetes-api creating")) goOn ??= freeze(session, "lab-controlplane-1");
  };
  expect(failed(await session.up({ onLine }))).toContain("Kubernetes API: not reached within 5 s");
  (await goOn)?.();
  await converges();
});

test("Talos would refuse a config: told before anything is made", async () => {
  const patches = { workers: [{ machine: { nodeLabels: { "bad label!": "x" } } }] };
  const text = await whileChanged(session, { "talos-fleet:patches": patches }, async () =>
    failed(await session.up()),
  );
  expect(text).toContain("machine.nodeLabels.bad label!: is not a label's name");
  expect(session.world.leftovers()).toEqual([]);
  await converges();
});

test("a node has the config of another cluster", async () => {
  const [result, goOn] = await Promise.all([session.up(), freeze(session, "lab-worker-1")]);
  goOn();
  failed(result);
  await configureForOther(session, { endpoint: `127.0.0.1:${ports().talosPort + 1}`, node: "10.5.0.3" });
  expect(failed(await session.up())).toMatch(/lab-worker-1-config \*\*creating failed\*\*/);
  // The cure is the operator's: its STATE lies in a volume, which outlives the container.
  succeeded(await session.destroy());
  expect(session.world.leftovers()).toEqual([]);
  await converges();
});
