import { recover } from "../../../ops/recover/run";
import {
  freePort,
  labNetwork,
  nodeBody,
  type Rig,
  startRig,
} from "../../../rehearsal/test/docker-engine/support";
import { labPlan } from "../../support/plans";
import { type FakeOperation, type FakeResource, fakeStack, type FakeStack } from "./fake-pulumi";

jest.setTimeout(30_000);

const LABELS = { "talos.owned": "true", "talos.cluster.name": "lab" };
const CONTAINER = "docker:index/container:Container";
const VOLUME = "docker:index/volume:Volume";
const NETWORK = "docker:index/network:Network";
const PROVIDER = "urn:pulumi:lab::talos-fleet::pulumi:providers:docker::lab-engine";

let rig: Rig;
let stacks: FakeStack[];

beforeEach(async () => {
  rig = await startRig();
  stacks = [];
});

afterEach(async () => {
  for (const stack of stacks) stack.end();
  await rig.end();
});

const engine = (): FakeResource => ({
  type: "pulumi:providers:docker",
  name: "lab-engine",
  id: "1",
  inputs: { host: rig.engine.host },
});

const creating = (type: string, name: string): FakeOperation => ({
  type: "creating",
  resource: { type, name: `${name}-in-program`, inputs: { name }, provider: `${PROVIDER}::1` },
});

function stackOf(
  pending: readonly FakeOperation[],
  more: Partial<Parameters<typeof fakeStack>[0]> = {},
): FakeStack {
  const stack = fakeStack({ pending, resources: [engine()], ...more });
  stacks.push(stack);
  return stack;
}

const CLEARED = /^stack lab: (\d+) pending operations? cleared$/;

/** The lines but for the last one, which says how many entries were cleared. */
async function run(stack: FakeStack): Promise<{ ok: boolean; lines: string[]; cleared: number }> {
  const lines: string[] = [];
  const { pulumi } = stack;
  const base = { stack: "lab", project: "talos-fleet", plan: labPlan(), settleMs: 1 };
  const ok = await recover({ ...base, pulumi, print: (line) => lines.push(line) });
  const cleared = lines.flatMap((line) => CLEARED.exec(line)?.[1] ?? []).map(Number);
  return { ok, lines: lines.filter((line) => !CLEARED.test(line)), cleared: cleared[0] ?? 0 };
}

async function makeContainer(name: string, labels: object, start = true): Promise<string> {
  const body = { ...nodeBody(name, { talosPort: await freePort() }), Labels: labels };
  const { json } = await rig.call("POST", `/containers/create?name=${name}`, body);
  const { Id: id } = json as { Id: string };
  if (start) await rig.call("POST", `/containers/${id}/start`);
  return id;
}

const makeVolume = (name: string, labels: object) =>
  rig.call("POST", "/volumes/create", { Name: name, Labels: labels });
const makeNetwork = (name: string, labels: object) =>
  rig.call("POST", "/networks/create", { ...labNetwork(name), Labels: labels });

const names = () => ({
  containers: [...rig.engine.world.containers.values()].map(({ name }) => name),
  volumes: [...rig.engine.world.volumes.values()]
    .filter(({ anonymous }) => !anonymous)
    .map(({ name }) => name),
  networks: [...rig.engine.world.networks.values()].map(({ name }) => name).filter((name) => name === "lab"),
});

test("what a killed run left goes, and its entries with it", async () => {
  await makeNetwork("lab", LABELS);
  await makeVolume("lab-worker-1-opt", LABELS);
  await makeContainer("lab-worker-1", LABELS);
  const stack = stackOf([
    creating(NETWORK, "lab"),
    creating(VOLUME, "lab-worker-1-opt"),
    creating(CONTAINER, "lab-worker-1"),
    creating(VOLUME, "lab-worker-1-etc"),
  ]);
  const { ok, lines, cleared } = await run(stack);
  expect(cleared).toBe(4);
  expect(lines).toEqual([
    "creating lab-in-program (docker:index/network:Network): removed network lab",
    "creating lab-worker-1-opt-in-program (docker:index/volume:Volume): removed volume lab-worker-1-opt",
    "creating lab-worker-1-in-program (docker:index/container:Container): removed container lab-worker-1",
    "creating lab-worker-1-etc-in-program (docker:index/volume:Volume): nothing left (no volume lab-worker-1-etc)",
  ]);
  expect(ok).toBe(true);
  expect(names()).toEqual({ containers: [], volumes: ["lab-worker-1-var"], networks: [] });
  expect(stack.pending()).toEqual([]);
});

test("a second time, and on a stack without pending operations or without any state, it does nothing", async () => {
  await makeVolume("lab-worker-1-opt", LABELS);
  const stack = stackOf([creating(VOLUME, "lab-worker-1-opt")]);
  await run(stack);
  stack.calls.length = 0;
  expect(await run(stack)).toEqual({
    ok: true,
    cleared: 0,
    lines: ["stack lab: no pending operations: nothing to recover"],
  });
  expect(stack.calls).toEqual(["stack export"]);
  expect((await run(stackOf([], { exists: false }))).lines).toEqual([
    "stack lab: does not exist yet: nothing to recover",
  ]);
});

test.each([
  ["no label", {}],
  ["another cluster's", { "talos.owned": "true", "talos.cluster.name": "lab2" }],
  ["half of ours", { "talos.cluster.name": "lab" }],
])("a thing of that name with %s is never touched", async (_case, labels) => {
  await makeContainer("lab-worker-1", labels);
  const stack = stackOf([creating(CONTAINER, "lab-worker-1")]);
  expect((await run(stack)).lines).toEqual([
    "creating lab-worker-1-in-program (docker:index/container:Container): left container lab-worker-1 alone: it lacks the label talos.cluster.name=lab, so it is somebody else's and `up` will meet it",
  ]);
  expect(names().containers).toEqual(["lab-worker-1"]);
  expect(stack.pending()).toEqual([]);
});

test("a name that begins like the id of something else finds nothing", async () => {
  const id = await makeContainer("lab-worker-1", LABELS);
  const stack = stackOf([creating(CONTAINER, id.slice(0, 12))]);
  expect((await run(stack)).lines[0]).toContain(`nothing left (no container ${id.slice(0, 12)})`);
  expect(names().containers).toEqual(["lab-worker-1"]);
});

test("a thing that the state holds stays, though a replacement of it was under way", async () => {
  await makeVolume("lab-worker-1-var", LABELS);
  const held = { type: VOLUME, name: "held", id: "lab-worker-1-var", inputs: { name: "lab-worker-1-var" } };
  const stack = stackOf([creating(VOLUME, "lab-worker-1-var")], { resources: [engine(), held] });
  expect((await run(stack)).lines).toEqual([
    "creating lab-worker-1-var-in-program (docker:index/volume:Volume): left volume lab-worker-1-var alone: the state holds it",
  ]);
  expect(names().volumes).toEqual(["lab-worker-1-var"]);
});

test("what nobody knows is named, not removed", async () => {
  await makeVolume("lab-stray", LABELS);
  await makeVolume("other", {});
  const { lines } = await run(stackOf([creating(VOLUME, "lab-worker-1-opt")]));
  expect(lines.slice(1)).toEqual([
    "volume lab-stray: has this cluster's labels, but neither the state nor a pending operation knows it: left alone",
  ]);
  expect(names().volumes).toEqual(["lab-stray", "other"]);
});

test("other operations and kinds leave nothing in the way", async () => {
  await makeContainer("lab-worker-1", LABELS);
  const of = (type: string, resource: FakeResource): FakeOperation => ({ type, resource });
  const container = { type: CONTAINER, name: "lab-worker-1", inputs: { name: "lab-worker-1" } };
  const stack = stackOf([
    of("deleting", container),
    of("updating", { type: NETWORK, name: "lab-network" }),
    of("creating", {
      type: "docker:index/remoteImage:RemoteImage",
      name: "lab-image",
      inputs: { name: "talos" },
    }),
    of("creating", { type: "talos:machine/configurationApply:ConfigurationApply", name: "apply" }),
    of("creating", { type: "command:local:Command", name: "lab-bootstrap" }),
  ]);
  const { ok, lines } = await run(stack);
  expect(ok).toBe(true);
  expect(lines.slice(0, 5)).toEqual([
    "deleting lab-worker-1 (docker:index/container:Container): the next run does it again",
    "updating lab-network (docker:index/network:Network): the next run does it again",
    "creating lab-image (docker:index/remoteImage:RemoteImage): nothing of it would be in the way",
    "creating apply (talos:machine/configurationApply:ConfigurationApply): nothing of it would be in the way",
    "creating lab-bootstrap (command:local:Command): nothing of it would be in the way",
  ]);
  expect(names().containers).toEqual(["lab-worker-1"]);
});

test("what cannot be removed keeps the entries, the rest goes on, and the answer is no", async () => {
  await makeVolume("lab-worker-1-opt", LABELS);
  await makeVolume("lab-worker-1-var", LABELS);
  rig.engine.faults.requests.push({
    match: /^DELETE \/volumes\/lab-worker-1-var/,
    answer: { status: 500, message: "disk on fire" },
    times: 2,
  });
  const stack = stackOf([creating(VOLUME, "lab-worker-1-var"), creating(VOLUME, "lab-worker-1-opt")]);
  const { ok, lines } = await run(stack);
  expect(ok).toBe(false);
  expect(lines).toEqual([
    "creating lab-worker-1-var-in-program (docker:index/volume:Volume): volume lab-worker-1-var could not be removed: (HTTP code 500) server error - disk on fire ",
    "creating lab-worker-1-opt-in-program (docker:index/volume:Volume): removed volume lab-worker-1-opt",
    "stack lab: 1 of 2 are open: the entries stay in the state; repeat when the cause is gone",
  ]);
  expect(stack.pending()).toHaveLength(2);
  expect(names().volumes).toEqual(["lab-worker-1-var"]);
  expect(await run(stack)).toMatchObject({ ok: true, cleared: 2 });
  expect(names().volumes).toEqual([]);
});

test("killed between the removal and the clearing, a repetition ends the work", async () => {
  await makeContainer("lab-worker-1", LABELS);
  const stack = stackOf([creating(CONTAINER, "lab-worker-1")], { failingImports: 1 });
  await expect(run(stack)).rejects.toThrow("killed");
  expect(names().containers).toEqual([]);
  expect(stack.pending()).toHaveLength(1);
  expect((await run(stack)).lines[0]).toContain("nothing left (no container lab-worker-1)");
  expect(stack.pending()).toEqual([]);
});

test("what a plugin finishes after the kill is found by the second look", async () => {
  const stack = stackOf([creating(VOLUME, "lab-worker-1-opt")]);
  const lines: string[] = [];
  const late = setTimeout(() => void makeVolume("lab-worker-1-opt", LABELS), 150);
  const args = { stack: "lab", project: "talos-fleet", plan: labPlan(), settleMs: 600 };
  await recover({ ...args, pulumi: stack.pulumi, print: (line) => lines.push(line) });
  clearTimeout(late);
  expect(lines[0]).toContain("removed volume lab-worker-1-opt");
  expect(names().volumes).toEqual([]);
});

test("the state goes to disk for its owner alone, with secrets sealed, and not for long", async () => {
  const hidden = {
    type: "talos:machine/secrets:Secrets",
    name: "s",
    inputs: { ca: { secretValue: "PRIVATE" } },
  };
  const stack = stackOf([creating(VOLUME, "lab-worker-1-opt")], { resources: [engine(), hidden] });
  await run(stack);
  expect(stack.imported()?.mode).toBe("600");
  expect(stack.imported()?.text).not.toContain("PRIVATE");
  expect(stack.imported()?.text).toContain("v1:xyz");
});
