import { createServer, type Server } from "node:net";
import { type AddressInfo } from "node:net";
import { foundEtcd } from "../../../ops/bootstrap/run";
import type { NodeInput } from "../../../agreed/operations";
import type { Talosctl, TalosctlAnswer } from "../../../ops/clients/talosctl";
import type { WaitContext } from "../../../ops/waits/wait";

const ok = (stdout = ""): TalosctlAnswer => ({ ok: true, stdout, stderr: "" });
const fault = (stderr: string): TalosctlAnswer => ({ ok: false, stdout: "", stderr });

const members = (...names: string[]): string =>
  ["NODE ID  HOSTNAME  PEER URLS  CLIENT URLS  LEARNER"]
    .concat(names.map((name) => `n    1   ${name.padEnd(8)}  x          x            false`))
    .join("\n");

let port: Server;
let nodes: NodeInput[];

beforeAll(async () => {
  port = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => port.once("listening", resolve));
  const endpoint = `127.0.0.1:${(port.address() as AddressInfo).port}`;
  nodes = ["cp-1", "cp-2"].map((name, index) => ({
    name,
    role: "controlplane",
    address: `10.0.1.1${index}`,
    endpoint,
  }));
});

afterAll(() => {
  port.close();
});

/** A cluster whose control planes answer as told; counts the bootstrap calls. */
function fakeCluster(
  bootstrap: () => TalosctlAnswer,
  founded: { by: string[] },
  // What `talosctl service etcd` shows on a control plane that waits to join.
  before = "STATE Preparing\nHEALTH ?",
) {
  const calls: string[] = [];
  const talosctl: Talosctl = {
    async run(target, args) {
      const call = args.join(" ");
      calls.push(`${call} ${target.nodes.join(",")}`);
      if (call.startsWith("get machinestatus")) {
        return ok(target.nodes.map((node) => `node: ${node}\nspec:\n  stage: booting\n`).join("---\n"));
      }
      if (call === "bootstrap") return bootstrap();
      if (call === "etcd members")
        return founded.by.length > 0 ? ok(members(...founded.by)) : fault("etcd is not up");
      if (call === "service etcd") {
        const state = founded.by.length > 0 ? "STATE Running\nHEALTH OK" : before;
        return ok(target.nodes.map((node) => `NODE ${node}\n${state}`).join("\n"));
      }
      throw new Error(`unexpected call ${call}`);
    },
  };
  return { talosctl, calls, bootstraps: () => calls.filter((call) => call.startsWith("bootstrap")) };
}

function silent(): WaitContext & { lines: string[] } {
  let now = 0;
  const lines: string[] = [];
  return { lines, print: (line) => lines.push(line), now: () => now, sleep: async (ms) => void (now += ms) };
}

const limits = { talosApi: 30, etcd: 30 };

test("founds once, on the first control plane", async () => {
  const founded = { by: [] as string[] };
  const cluster = fakeCluster(() => {
    founded.by = ["cp-1", "cp-2"];
    return ok();
  }, founded);
  await foundEtcd({ talosctl: cluster.talosctl, controlPlanes: nodes, limits }, silent());
  expect(cluster.bootstraps()).toEqual(["bootstrap 10.0.1.10"]);
});

test("a cluster that is founded already is success, without a call", async () => {
  const cluster = fakeCluster(() => fault("must not be called"), { by: ["cp-1", "cp-2"] });
  const context = silent();
  await foundEtcd({ talosctl: cluster.talosctl, controlPlanes: nodes, limits }, context);
  expect(cluster.bootstraps()).toEqual([]);
  expect(context.lines).toContain("etcd: already founded, cp-1 is a member");
});

test.each([
  ["runs without a quorum", "STATE Running\nHEALTH Fail", "etcd service Running, health Fail"],
  ["does not say", "", "etcd service unknown ()"],
])("beside a control plane whose etcd %s no second one is founded", async (_, before, seen) => {
  const cluster = fakeCluster(() => ok(), { by: [] }, before);
  await expect(
    foundEtcd({ talosctl: cluster.talosctl, controlPlanes: nodes, limits }, silent()),
  ).rejects.toThrow(
    `earlier etcd: not reached within 30 s\n  cp-2: last seen: ${seen}: may hold the cluster's data`,
  );
  expect(cluster.bootstraps()).toEqual([]);
});

test("an answer that was lost: AlreadyExists is success once etcd is healthy", async () => {
  const founded = { by: [] as string[] };
  const cluster = fakeCluster(() => {
    founded.by = ["cp-1", "cp-2"];
    return fault("rpc error: code = AlreadyExists desc = etcd data directory is not empty");
  }, founded);
  await foundEtcd({ talosctl: cluster.talosctl, controlPlanes: nodes, limits }, silent());
  expect(cluster.bootstraps()).toHaveLength(1);
});

test("a runtime that is not up yet is waited for", async () => {
  const founded = { by: [] as string[] };
  let tries = 0;
  const cluster = fakeCluster(() => {
    tries += 1;
    if (tries < 3) return fault("rpc error: code = FailedPrecondition desc = bootstrap is not available yet");
    founded.by = ["cp-1", "cp-2"];
    return ok();
  }, founded);
  await foundEtcd({ talosctl: cluster.talosctl, controlPlanes: nodes, limits }, silent());
  expect(cluster.bootstraps()).toHaveLength(3);
});

test("a node without a config says so", async () => {
  const cluster = fakeCluster(() => fault("rpc error: code = PermissionDenied desc = not authorized"), {
    by: [],
  });
  await expect(
    foundEtcd({ talosctl: cluster.talosctl, controlPlanes: nodes, limits }, silent()),
  ).rejects.toThrow(
    "bootstrap: not reached within 30 s\n  cp-1: last seen: has no config yet (maintenance mode): rpc error: code = PermissionDenied desc = not authorized",
  );
});
