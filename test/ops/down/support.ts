/** Where `down` runs: an empty project folder and a Docker engine, new for each test. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { down } from "../../../ops/down/run";
import {
  freePort,
  labNetwork,
  nodeBody,
  rigForEachTest,
} from "../../../rehearsal/test/docker-engine/support";
import { labPlan } from "../../support/plans";

export const labels = (cluster: string) => ({ "talos.owned": "true", "talos.cluster.name": cluster });

/** Each test of the file runs in a folder of its own; gives where it is now. */
export function folderForEachTest(): () => string {
  const before = process.cwd();
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "down-")));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true });
  });
  return () => folder;
}

export function write(path: string, text = "x"): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** An engine for each test of the file, what is put on it, and `down` for the cluster `lab`. */
export function engineForEachTest() {
  const rig = rigForEachTest();

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

  return { rig, run, makeVolume, makeNetwork, makeNode, left };
}
