/** Containers of the lab take turns: the next one waits for the gate of the one before. Under mocks. */
import type { MockWorld } from "../support/mocks";
import { runProgram } from "../support/program";

const COMMAND = "command:local:Command";
const CONTAINER = "docker:index/container:Container";
const NODES = ["lab-controlplane-1", "lab-worker-1", "lab-worker-2", "lab-worker-3"];

let world: MockWorld;

beforeAll(async () => {
  const workers = [{ name: "worker", count: 3 }];
  ({ world } = await runProgram("lab", { "talos-fleet:workers": workers }));
});

const gate = (node: string) => {
  const { create, update, stdin } = world.find(COMMAND, `${node}-gate`).inputs;
  return { create, update, input: JSON.parse(String(stdin)) as Record<string, unknown> };
};

test("container, gate, next container, and so on to the last", () => {
  const turns = world.resources
    .filter(({ type, name }) => type === CONTAINER || name.endsWith("-gate"))
    .map(({ name }) => name);

  expect(turns).toEqual(NODES.flatMap((node) => [node, `${node}-gate`]));
});

test("a gate costs nothing on creation, and later runs when its container is another one", () => {
  const ids = NODES.map((node) => gate(node).input["container"]);

  expect(new Set(ids).size).toBe(NODES.length);
  for (const node of NODES) {
    const answer = `echo ${String(gate(node).input["container"])}`;
    expect([gate(node).create, gate(node).update]).toEqual([answer, "node bin/talos-fleet wait node"]);
  }
});

test("a gate asks its own node, and etcd of all control planes", () => {
  expect(gate("lab-worker-2").input).toMatchObject({
    node: { name: "lab-worker-2", role: "worker", address: "10.5.0.4", endpoint: "127.0.0.1:50002" },
    controlPlanes: [{ name: "lab-controlplane-1", address: "10.5.0.2", endpoint: "127.0.0.1:50000" }],
    talosVersion: "v1.13.10",
    ready: true,
  });
});

test("nothing of a gate's credentials can be seen", () => {
  for (const node of NODES) expect(world.find(COMMAND, `${node}-gate`).plain["stdin"]).toBe("[secret]");
});

test("what uses the kubeconfig waits anew when the first control plane was made again", () => {
  const api = world.find(COMMAND, "lab-kubernetes-api").inputs["triggers"];

  expect(api).toEqual([gate("lab-controlplane-1").input["container"]]);
});

test("a lab whose API is down can be refreshed, a fleet's state is never taken on trust", async () => {
  expect(world.find("pulumi:providers:kubernetes", "lab-kubernetes").inputs["skipUpdateUnreachable"]).toBe(
    "true",
  );
  const fleet = await runProgram("hetzner", { "hcloud:token": "t".repeat(64) }, { preview: true });
  const provider = fleet.world.find("pulumi:providers:kubernetes", "hetzner-kubernetes");
  expect(provider.inputs).not.toHaveProperty("skipUpdateUnreachable");
});
