/** The fleet: whatever a run fails on, the next run after the cure ends where an undisturbed one does. */
import axios from "axios";

import type { Session } from "../../../rehearsal/session";
import { expectConverged, machines, machinesInState } from "../../engine/support/converge";
import { failed, openStack, succeeded } from "../../engine/support/open";
import { inState, madeResources } from "../../engine/support/state";
import { whileChanged } from "../../engine/support/change";

jest.setTimeout(400_000);

const limits = { talosApi: 60, etcd: 60, kubernetesApi: 60, nodesReady: 60, coreDns: 60 };

let session: Session;

beforeEach(async () => (session = await openStack("hetzner", { "talos-fleet:limits": limits })));
afterEach(async () => session.close());

const account = () => {
  const { hetzner, secrets } = session.world;
  const headers = { Authorization: `Bearer ${secrets["hcloud:token"] ?? ""}` };
  return axios.create({ baseURL: hetzner?.url ?? "", headers });
};

const nothing = async (): Promise<void> => {
  expect(madeResources(await inState(session))).toEqual([]);
  expect(session.world.leftovers()).toEqual([]);
};

test("the factory cuts every connection", async () => {
  session.world.factory!.faults.add({ path: /^\/schematics$/, drop: true, times: 100 });
  expect(failed(await session.up())).toMatch(/POST http:\/\/127\.0\.0\.1:\d+\/schematics: socket hang up/);
  await nothing();
  expect(session.world.hetzner!.requests).toEqual([]);
  session.world.factory!.faults.clear();
  await expectConverged(session);
});

test("the action that creates a server fails: the state knows that it is half made, and replacing it is the cure", async () => {
  const actionError = { code: "action_failed", message: "the hypervisor said no" };
  session.world.hetzner!.faults.add({ method: "POST", path: /^\/servers$/, after: 4, actionError });
  expect(failed(await session.up())).toContain("the hypervisor said no");
  const { resources = [] } = (await session.exportState()).deployment;
  const half = resources.filter(({ initErrors }) => initErrors !== undefined);
  expect(half.map(({ type }) => type)).toEqual(["hcloud:index/server:Server"]);
  await session.unprotect();
  const replace = ["up", "--yes", "--skip-preview", "--replace", String(half[0]?.["urn"])];
  succeeded(await session.pulumi(replace));
  await expectConverged(session);
});

test.each([
  ["POST", /^\/networks$/, 500, "service_error"],
  ["POST", /^\/load_balancers$/, 422, "invalid_input"],
  ["POST", /^\/load_balancers\/\d+\/actions\/add_service$/, 503, "unavailable"],
  ["POST", /^\/placement_groups$/, 403, "resource_limit_exceeded"],
  ["POST", /^\/firewalls$/, 500, "server_error"],
] as const)("%s %s answers %i %s", async (...[method, path, status, code]) => {
  session.world.hetzner!.faults.add({ method, path, status, code });
  const text = failed(await session.up());
  expect(text).toContain(code);
  expect(machines(session)).toEqual(await machinesInState(session));
  await expectConverged(session);
});

test("a firewall of that name is there already", async () => {
  const { data } = await account().post<{ firewall: { id: number } }>("/firewalls", { name: "hetzner" });
  expect(failed(await session.up())).toContain("uniqueness_error");
  await account().delete(`/firewalls/${data.firewall.id}`);
  await expectConverged(session);
});

test("the token is not the project's", async () => {
  const text = await whileChanged(session, {}, async () => {
    await session.pulumi(["config", "set", "--secret", "hcloud:token"], { stdin: "0".repeat(64) });
    return failed(await session.up());
  });
  expect(text).toContain("unauthorized");
  expect(session.world.leftovers()).toEqual([]);
  await expectConverged(session);
});
