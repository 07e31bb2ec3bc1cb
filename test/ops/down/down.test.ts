import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type * as Os from "node:os";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { down } from "../../../ops/down/run";
import { removeFiles } from "../../../ops/down/files";
import {
  freePort,
  labNetwork,
  nodeBody,
  type Rig,
  runNode,
  startRig,
  TALOS_IMAGE,
} from "../../../rehearsal/test/docker-engine/support";
import { labPlan } from "../../support/plans";

jest.setTimeout(30_000);

const labels = (cluster: string) => ({ "talos.owned": "true", "talos.cluster.name": cluster });
const before = process.cwd();
let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "down-")));
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text = "x"): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

describe("on the engine", () => {
  let rig: Rig;

  beforeEach(async () => {
    rig = await startRig();
  });

  afterEach(async () => rig.end());

  async function run(machinesOnly = false): Promise<string[]> {
    const lines: string[] = [];
    const plan = labPlan({ docker: { host: rig.engine.host } });
    const print = (line: string) => lines.push(line);
    await down({ stack: "lab", project: "talos-fleet", plan, print, machinesOnly });
    const engine = `Docker engine ${rig.engine.host} (docker.host)`;
    expect(lines).toContain(engine);
    return lines.filter((line) => line !== engine);
  }

  const makeVolume = (name: string, of: object) =>
    rig.call("POST", "/volumes/create", { Name: name, Labels: of });
  const makeNetwork = (name: string, of: object, subnet?: string) =>
    rig.call("POST", "/networks/create", { ...labNetwork(name, subnet), Labels: of });

  /** A running node of a cluster on the network of that name. */
  async function makeNode(cluster: string, name: string, address: string): Promise<void> {
    const volume = `${name}-var`;
    await makeVolume(volume, labels(cluster));
    const talosPort = await freePort();
    const body = {
      ...nodeBody(name, { talosPort, volume }),
      Labels: { ...labels(cluster), "talos.type": "worker" },
    };
    const { json } = await rig.call("POST", `/containers/create?name=${name}`, body);
    const { Id: id } = json as { Id: string };
    await rig.call("POST", "/networks/bridge/disconnect", { Container: id });
    const EndpointConfig = { IPAMConfig: { IPv4Address: address } };
    await rig.call("POST", `/networks/${cluster}/connect`, { Container: id, EndpointConfig });
    await rig.call("POST", `/containers/${id}/start`);
  }

  const left = () => ({
    containers: [...rig.engine.world.containers.values()].map(({ name }) => name),
    volumes: [...rig.engine.world.volumes.values()].map(({ name }) => name),
    networks: [...rig.engine.world.networks.values()].map(({ name }) => name).slice(3),
  });

  test("a whole lab goes, with its anonymous volumes; another lab, other things and images stay", async () => {
    await makeNetwork("lab", labels("lab"));
    await makeNetwork("lab2", labels("lab2"), "10.6.0.0/24");
    await makeNode("lab", "lab-worker-1", "10.5.0.3");
    await makeNode("lab2", "lab2-worker-1", "10.6.0.3");
    await makeVolume("mine", {});
    write(".lab/kubeconfig");
    expect(await run()).toEqual([
      "container lab-worker-1: removed",
      "volume lab-worker-1-var: removed",
      "network lab: removed",
      ".lab/: removed",
    ]);
    const { containers, volumes, networks } = left();
    expect(containers).toEqual(["lab2-worker-1"]);
    expect(volumes.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual(["lab2-worker-1-var", "mine"]);
    expect(volumes).toHaveLength(3);
    expect(networks).toEqual(["lab2"]);
    expect([...rig.engine.world.images.values()].flatMap(({ references }) => [...references])).toEqual([
      TALOS_IMAGE,
    ]);
    expect(existsSync(".lab")).toBe(false);
  });

  test("containers are killed at once and not shut down one after the other; what they stand on may stay for the destroy", async () => {
    await makeNetwork("lab", labels("lab"));
    for (const number of [3, 4, 5, 6]) await makeNode("lab", `lab-worker-${number}`, `10.5.0.${number}`);
    const before = Date.now();
    write(".lab/kubeconfig");
    expect((await run(true)).sort()).toEqual(
      [3, 4, 5, 6].map((number) => `container lab-worker-${number}: removed`),
    );
    // Each has a grace of 30 s, and none of it was given.
    expect(Date.now() - before).toBeLessThan(5_000);
    const { containers, volumes, networks } = left();
    expect(containers).toEqual([]);
    expect(volumes.filter((name) => name.startsWith("lab"))).toHaveLength(4);
    expect(networks).toEqual(["lab"]);
    expect(existsSync(".lab/kubeconfig")).toBe(true);
    expect(await run(true)).toEqual([]);
    expect((await run()).at(-1)).toBe(".lab/: removed");
  });

  test("before anything else it takes away the logins to this cluster that a plugin left in the temp folder", async () => {
    const kubeconfig = (authority: string) =>
      JSON.stringify({
        clusters: [
          { cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": authority } },
        ],
        users: [{ user: { "client-certificate-data": "C", "client-key-data": "K" } }],
      });
    const temp = join(folder, "temp");
    const usual = jest.spyOn(jest.requireActual<typeof Os>("node:os"), "tmpdir").mockReturnValue(temp);
    try {
      write(".lab/kubeconfig", kubeconfig("OURS"));
      write("temp/kubeconfig17", kubeconfig("OURS"));
      write("temp/kubeconfig18", kubeconfig("THEIRS"));
      expect((await run(true))[0]).toBe(
        `${temp}/kubeconfig17: a login to this cluster that a plugin left: removed`,
      );
      expect([existsSync("temp/kubeconfig17"), existsSync("temp/kubeconfig18")]).toEqual([false, true]);
    } finally {
      usual.mockRestore();
    }
  });

  test("a half-finished up, then nothing at all", async () => {
    await makeNetwork("lab", labels("lab"));
    expect(await run()).toEqual(["network lab: removed", ".lab/: not there"]);
    expect(await run()).toEqual(["cluster lab: nothing left on the engine", ".lab/: not there"]);
  });

  test("a container that the engine has lost does not keep the rest", async () => {
    await makeNetwork("lab", labels("lab"));
    await makeNode("lab", "lab-worker-1", "10.5.0.3");
    await rig.call("DELETE", "/containers/lab-worker-1?force=1");
    expect(await run()).toEqual([
      "volume lab-worker-1-var: removed",
      "network lab: removed",
      ".lab/: not there",
    ]);
  });

  test("things of that name without both labels stay", async () => {
    await makeVolume("lab-worker-1-var", { "talos.cluster.name": "lab" });
    await makeVolume("lab-worker-1-opt", { "talos.owned": "true", "talos.cluster.name": "lab-2" });
    expect(await run()).toEqual(["cluster lab: nothing left on the engine", ".lab/: not there"]);
    expect(left().volumes).toEqual(["lab-worker-1-var", "lab-worker-1-opt"]);
  });

  test("a cluster that talosctl made under the same name is refused, and nothing is touched", async () => {
    await makeNetwork("lab", labels("lab"));
    await makeVolume("lab-worker-1-var", labels("lab"));
    const body = {
      ...nodeBody("lab-controlplane-1", { talosPort: await freePort() }),
      Labels: labels("lab"),
      Env: ["PLATFORM=container", "USERDATA=eA=="],
    };
    await rig.call("POST", "/containers/create?name=lab-controlplane-1", body);
    write(".lab/kubeconfig");
    await expect(run()).rejects.toThrow(
      'lab-controlplane-1: made by "talosctl cluster create" under the same cluster name, not by this program; nothing was removed; "talosctl cluster destroy" removes it',
    );
    expect(left().containers).toEqual(["lab-controlplane-1"]);
    expect(left().volumes).toContain("lab-worker-1-var");
    expect(existsSync(".lab/kubeconfig")).toBe(true);
  });

  test("what cannot be removed keeps the files; a repetition ends the work", async () => {
    await makeVolume("lab-worker-1-var", labels("lab"));
    rig.engine.faults.requests.push({
      match: /^DELETE \/volumes\//,
      answer: { status: 500, message: "disk on fire" },
      times: 1,
    });
    write(".lab/passphrase");
    await expect(run()).rejects.toThrow("disk on fire");
    expect(existsSync(".lab/passphrase")).toBe(true);
    expect(await run()).toEqual(["volume lab-worker-1-var: removed", ".lab/: removed"]);
  });

  test("a network whose endpoint lingers is tried again", async () => {
    await makeNetwork("lab", labels("lab"));
    rig.engine.faults.requests.push({
      match: /^DELETE \/networks\//,
      answer: { status: 403, message: "error while removing network: network lab has active endpoints" },
      times: 2,
    });
    expect(await run()).toEqual(["network lab: removed", ".lab/: not there"]);
  });

  test("while a run of pulumi lives, nothing is touched", async () => {
    await makeNetwork("lab", labels("lab"));
    const lock = { pid: process.pid, hostname: hostname(), timestamp: "2026-11-30T12:00:00Z" };
    write(".lab/state/.pulumi/locks/organization/talos-fleet/lab/a.json", JSON.stringify(lock));
    await expect(run()).rejects.toThrow(`pid ${process.pid} on ${hostname()}`);
    await expect(run(true)).rejects.toThrow(`pid ${process.pid} on ${hostname()}`);
    expect(left().networks).toEqual(["lab"]);
  });

  test("a container of somebody else's on the lab's network keeps the network", async () => {
    await makeNetwork("lab", labels("lab"));
    await runNode(rig, "plain-1", { address: "10.5.0.9", talosPort: await freePort() });
    await expect(run()).rejects.toThrow("active endpoints");
    await rig.call("DELETE", "/containers/plain-1?force=1&v=1");
    expect(await run()).toEqual(["network lab: removed", ".lab/: not there"]);
  });
});

test("an engine that does not answer: .lab/ stays", async () => {
  write(".lab/passphrase");
  const plan = labPlan({ docker: { host: `unix://${folder}/none.sock` } });
  const args = { stack: "lab", project: "talos-fleet", plan, print: () => undefined };
  await expect(down(args)).rejects.toThrow(
    /none\.sock \(docker\.host\): connect ENOENT .*: what is left on the engine cannot be removed, so \.lab\/ stays; start the engine and repeat$/,
  );
  expect(existsSync(".lab/passphrase")).toBe(true);
});

describe("files", () => {
  const files = (cluster: string, stack = cluster) => removeFiles({ cluster, stack, project: "talos-fleet" });

  test("all of .lab/ goes with the last lab", async () => {
    for (const name of ["kubeconfig", "talosconfig", "passphrase", "Pulumi.lab.yaml"]) write(`.lab/${name}`);
    write(".lab/state/.pulumi/stacks/talos-fleet/lab.json");
    write(".lab/state/.pulumi/stacks/talos-fleet/lab.json.bak");
    expect(await files("lab")).toEqual([".lab/: removed"]);
    expect(existsSync(".lab")).toBe(false);
  });

  test("another lab's credentials stay, and so does what its state needs", async () => {
    write(".lab/kubeconfig");
    write(".lab/talosconfig");
    write(".lab/passphrase");
    write(".lab/lab2/kubeconfig");
    expect(await files("lab")).toEqual([
      ".lab/: kubeconfig and talosconfig removed; the rest stays for .lab/lab2/kubeconfig",
    ]);
    expect(
      [".lab/kubeconfig", ".lab/talosconfig", ".lab/passphrase", ".lab/lab2/kubeconfig"].map(existsSync),
    ).toEqual([false, false, true, true]);
    expect(await files("lab2")).toEqual([".lab/: removed"]);
  });

  test("another stack's state keeps .lab/", async () => {
    write(".lab/lab2/kubeconfig");
    write(".lab/state/.pulumi/stacks/talos-fleet/lab.json");
    write(".lab/state/.pulumi/stacks/talos-fleet/lab2.json");
    expect(await files("lab2")).toEqual([
      ".lab/lab2/: kubeconfig and talosconfig removed; the rest stays for stack lab",
    ]);
    expect(existsSync(".lab/lab2")).toBe(false);
    expect(existsSync(".lab/state/.pulumi/stacks/talos-fleet/lab.json")).toBe(true);
  });
});
