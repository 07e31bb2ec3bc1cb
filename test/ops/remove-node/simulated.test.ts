/** The real talosctl on simulated control planes: founded, shrunk to one, and what waits read of them on the way. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeInput } from "../../../agreed/operations";
import { foundEtcd } from "../../../ops/bootstrap/run";
import { type Talosctl, withTalosctl } from "../../../ops/clients/talosctl";
import { removeNode } from "../../../ops/remove-node/run";
import { liveMachines } from "../../../ops/platforms/select";
import { reasonsOf } from "../../../ops/waits/control-planes";
import { parseMembers } from "../../../ops/waits/etcd";
import { memberWait, only, talosApiWait } from "../../../ops/waits/talos";
import { realContext, walk, type WaitContext } from "../../../ops/waits/wait";
import { provideTools } from "../../../rehearsal/tools";
import { startNodes } from "../../../rehearsal/test/plugins/talos/cluster";

jest.setTimeout(180_000);

const ADDRESSES = ["10.9.0.11", "10.9.0.12", "10.9.0.13"];
const limits = { talosApi: 60, etcd: 60 };
let folder: string;
let running: Awaited<ReturnType<typeof startNodes>>;
let nodes: NodeInput[];
let talosconfig: string;
let before: string | undefined;

beforeAll(async () => {
  const tools = await provideTools(join(__dirname, "../../.."), () => undefined);
  before = process.env["TALOSCTL"];
  process.env["TALOSCTL"] = tools.talosctl.path;
  folder = mkdtempSync(join(tmpdir(), "shrink-"));
  const talosctl = (...args: string[]) =>
    execFileSync(tools.talosctl.path, args, { cwd: folder, stdio: "pipe" });
  talosctl(
    "gen",
    "config",
    "fleet",
    `https://${ADDRESSES[0]!}:6443`,
    "--with-docs=false",
    "--with-examples=false",
  );
  running = await startNodes(tools.simnode.path, ADDRESSES);
  nodes = ADDRESSES.map((address) => ({
    ...{ name: `node-${address.split(".")[3]!}`, role: "controlplane" as const, address },
    endpoint: running.endpoints[address]!,
  }));
  talosconfig = readFileSync(join(folder, "talosconfig"), "utf8");
  const unused: Talosctl = { run: async () => Promise.reject(new Error("not asked")) };
  await walk([talosApiWait({ talosctl: unused, nodes, limits })], quiet);
  for (const { endpoint, name } of nodes) {
    const hostname = `{"apiVersion":"v1alpha1","kind":"HostnameConfig","hostname":"${name}","auto":"off"}`;
    const apply = ["apply-config", "--insecure", "-n", endpoint, "-e", endpoint, "-f", "controlplane.yaml"];
    talosctl(...apply, "-p", hostname);
  }
});

afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true, force: true });
  if (before === undefined) delete process.env["TALOSCTL"];
  else process.env["TALOSCTL"] = before;
});

const quiet: WaitContext = { ...realContext, print: () => undefined };
const objects = { remove: async () => true };
const members = async (talosctl: Talosctl) =>
  parseMembers((await talosctl.run(only(nodes[0]!), ["etcd", "members"])).stdout).map(
    ({ hostname }) => hostname,
  );

test("founded, read, then from three to one; the last one stays", () =>
  withTalosctl(talosconfig, async (talosctl) => {
    await foundEtcd({ talosctl, controlPlanes: nodes, limits }, quiet);
    await walk([memberWait({ talosctl, node: nodes[2]!, controlPlanes: nodes, limits })], quiet);
    const reasons = {
      talosctl,
      controlPlanes: nodes,
      machines: liveMachines({ platform: "hetzner" }, { talosconfig: "", nodes }),
    };
    expect((await reasonsOf(reasons)).final).toEqual({});

    const remove = (node: NodeInput) => removeNode({ talosctl, node, controlPlanes: nodes, objects }, quiet);
    await remove(nodes[2]!);
    await remove(nodes[2]!);
    await remove(nodes[1]!);
    expect(await members(talosctl)).toEqual([nodes[0]!.name]);
    const fast = { ...quiet, sleep: async () => undefined };
    await expect(
      removeNode({ talosctl, node: nodes[0]!, controlPlanes: nodes, objects }, fast),
    ).rejects.toThrow("it is the only voting member");
  }));
