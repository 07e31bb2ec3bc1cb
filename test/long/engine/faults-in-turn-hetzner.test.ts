/** The fleet, failing in one way after the other in the same stack: the run after the last cure ends where an undisturbed one does. */
import { setTimeout as pause } from "node:timers/promises";

import type { Session } from "../../../rehearsal/session";
import { resetServer } from "../../engine/support/account";
import { expectConverged, machines, machinesInState } from "../../engine/support/converge";
import { failed, openStack } from "../../engine/support/open";

jest.setTimeout(240_000);

const limits = { talosApi: 8, etcd: 60, kubernetesApi: 60, nodesReady: 60, coreDns: 60 };
const SERVERS = /^\/servers$/;

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

let session: Session;
const killed: string[] = [];

beforeAll(async () => (session = await openStack("hetzner", { "talos-fleet:limits": limits })));
afterAll(async () => session.close());

test("no capacity for the ninth server: the others are in the account and in the state, each once", async () => {
  const message = "error during placement (resource_unavailable)";
  const { faults } = session.world.hetzner!;
  faults.add({ method: "POST", path: SERVERS, after: 8, status: 412, code: "resource_unavailable", message });
  const text = failed(await session.up());

  expect(text).toContain("error during placement (resource_unavailable)");
  expect(machines(session)).toEqual(await machinesInState(session));
  expect(machines(session).length).toBeGreaterThanOrEqual(8);
  expect(machines(session).length).toBeLessThan(17);
});

test("a conflict and a rate limit pass by themselves; a node that is dead ends the run, and it is named", async () => {
  const hetzner = session.world.hetzner!;
  hetzner.faults.add({ method: "POST", path: SERVERS, status: 409, code: "conflict" });
  hetzner.faults.add({ method: "POST", path: SERVERS, after: 1, status: 429, code: "rate_limit_exceeded" });
  const dead = numbered("hetzner-worker", 14).find((name) => !machines(session).includes(name)) ?? "";
  const [result] = await Promise.all([
    session.up(),
    (async () => {
      while (hetzner.simnodeFor(dead)?.pid === undefined) await pause(2);
      await hetzner.killNode(dead);
    })(),
  ]);
  killed.push(dead);

  expect(failed(result)).toContain(`${dead}-config`);
  expect(machines(session)).toEqual(await machinesInState(session));
  const answers = hetzner.requests.map(({ status }) => status);
  expect(answers.filter((status) => status === 409 || status === 429)).toEqual([409, 429]);
});

test("cured, the same stack ends as an undisturbed one: everything once, etcd founded once", async () => {
  await Promise.all(killed.map((name) => resetServer(session, name)));
  await expectConverged(session);
});
