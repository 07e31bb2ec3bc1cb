/** The lab's whole life on Pulumi's real engine, what may be seen of its secrets, and what its credentials open. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

import { kubernetesNodes } from "../../rehearsal/demo/cluster";
import { contextsOf } from "./support/access";
import { stepsAfter, whileChanged } from "./support/change";
import { filesIn } from "./support/files";
import { projectFiles, startLife, strayKubeconfigs } from "./support/life";
import type { Life } from "./support/life";
import { failed, succeeded } from "./support/open";
import { describeSecrets } from "./support/secret-tests";
import { talosctl } from "./support/talosctl";
import { foundings, inState, undisturbed } from "./support/state";
import { changesOf, isTold, stepsOf, titlesOf } from "./support/steps";

jest.setTimeout(120_000);

const NODES = ["lab-controlplane-1", "lab-worker-1"];

let life: Life;

beforeAll(async () => (life = await startLife("lab")));
afterAll(async () => life.end());

test("preview: all new, and nobody is asked but whether the engine is there", async () => {
  const { session, take } = life;
  const steps = stepsOf(await take(session.preview({ json: true })));

  expect([...new Set(steps.map(({ op }) => op))]).toEqual(["create"]);
  expect(titlesOf(steps)).toEqual(undisturbed("lab"));
  expect(session.world.factory?.requests).toEqual([]);
  const asked = new Set(session.world.engine?.requests.map(({ method, path }) => `${method} ${path}`));
  expect([...asked].filter((request) => !request.endsWith("/_ping"))).toEqual([]);
});

test("up creates exactly that, founds etcd once, and the outputs are there", async () => {
  const { session, take } = life;
  await take(session.up());

  expect(await inState(session)).toEqual(undisturbed("lab"));
  expect(foundings(session)).toBe(1);
  const asked = session.world.factory?.requests.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toEqual(["POST /schematics"]);
  const outputs = await session.outputs();
  expect(outputs).toMatchObject({ kubeconfig: "[secret]", talosconfig: "[secret]" });
  expect(Object.keys(outputs["nodes"] as object)).toEqual(NODES);
});

test("preview, refresh and preview again show no change, and the plugin's kubeconfigs go with the program", async () => {
  const { session, take } = life;
  await take(session.preview({ expectNoChanges: true, diff: true }));
  expect(strayKubeconfigs(session)).toEqual([]);
  await take(session.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]));
  // A refresh runs no program: what it leaves is there for the next preview to find.
  expect(strayKubeconfigs(session)).not.toEqual([]);

  expect(changesOf(stepsOf(await take(session.preview({ json: true }))))).toEqual([]);
  expect(strayKubeconfigs(session)).toEqual([]);
});

describe("credentials", () => {
  let kubeconfig: string;
  let talosconfig: string;

  beforeAll(async () => {
    const outputs = await life.session.outputs({ showSecrets: true });
    kubeconfig = String(outputs["kubeconfig"]);
    talosconfig = String(outputs["talosconfig"]);
  });

  test("the files under .lab are the outputs, for the owner alone", () => {
    const folder = join(life.session.project, ".lab");
    const files = filesIn(folder);

    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(files.map(({ path, mode }) => `${path} ${mode.toString(8)}`).sort()).toEqual([
      "kubeconfig 600",
      "talosconfig 600",
    ]);
    const contents = Object.fromEntries(files.map(({ path, read }) => [path, read()]));
    expect(contents).toEqual({ kubeconfig, talosconfig });
  });

  test("the kubeconfig has one context, at the published port of 127.0.0.1, and lists both nodes", async () => {
    const containers = [...life.session.world.engine!.world.containers.values()];
    const first = containers.find(({ name }) => name === NODES[0]);
    const port = first?.hostConfig.PortBindings?.["6443/tcp"]?.[0]?.HostPort;

    const contexts = contextsOf(kubeconfig).map(({ server, current }) => [server, current]);
    expect(contexts).toEqual([[`https://127.0.0.1:${port ?? ""}`, true]]);
    const nodes = await kubernetesNodes(kubeconfig);
    expect(nodes.map(({ name, ready }) => [name, ready]).sort()).toEqual(NODES.map((name) => [name, true]));
  });

  test("talosctl needs no flag but the file: version of all nodes, members", async () => {
    const version = await talosctl(life.session, talosconfig, ["version"]);
    const answered = version.match(/NODE: +\S+/g)?.map((line) => line.split(/ +/)[1]);
    expect(answered?.sort()).toEqual(["10.5.0.2", "10.5.0.3"]);
    const members = await talosctl(life.session, talosconfig, ["get", "members"]);
    for (const name of NODES) expect(members).toContain(name);
  });
});

describeSecrets(() => life);

test("one more worker and a pool before the others change no other node", async () => {
  const workers = [
    { name: "database", count: 1, firstAddress: 20 },
    { name: "worker", count: 2, firstAddress: 3 },
  ];
  const steps = await stepsAfter(life.session, { "talos-fleet:workers": workers });
  const changes = changesOf(steps.filter((step) => !isTold(step)));

  expect(changes).toContain("create docker:index/container:Container lab-database-1");
  expect(changes).toContain("create docker:index/container:Container lab-worker-2");
  expect(
    changes.filter((change) => !/^create \S+ lab-(database-1|worker-2)(-[a-z-]+)?$/.test(change)),
  ).toEqual([]);
});

test("another Kubernetes version is refused in preview and up; another Talos version is another container", async () => {
  const { session } = life;
  await whileChanged(session, { "talos-fleet:kubernetesVersion": "1.36.4" }, async () => {
    const words = "kubernetesVersion: 1.36.4: the cluster runs Kubernetes 1.35.8";
    expect(failed(await session.preview())).toContain(words);
    expect(failed(await session.up())).toContain(words);
  });
  const steps = await stepsAfter(session, { "talos-fleet:talosVersion": "v1.13.9" });
  expect(changesOf(steps).join("\n")).toContain("replace docker:index/container:Container lab-worker-1");
});

test("a change that needs a reboot is refused before any node is asked, by its path and without its value", async () => {
  const { session } = life;
  const proxy = "http://user:c4n4ry-proxy@192.0.2.1:3128";
  const patches = { all: [{ machine: { env: { https_proxy: proxy } } }] };
  await whileChanged(session, { "talos-fleet:patches": patches }, async () => {
    for (const text of [failed(await session.preview({ diff: true })), failed(await session.up())]) {
      life.printed += text;
      expect(text).toContain(
        "reboots: refuse: a change of machine.env.https_proxy needs a reboot of lab-controlplane-1, lab-worker-1; take it back",
      );
      expect(text).not.toContain("c4n4ry-proxy");
      expect(text).not.toContain("can't be applied in immediate mode");
    }
  });
});

test("destroy leaves nothing: no process, container, volume, network or file", async () => {
  const { session, temporary, atFirst } = life;
  succeeded(await session.destroy());

  expect(await inState(session)).toEqual([]);
  expect(session.world.leftovers()).toEqual([]);
  const processes = session.leftovers().map(({ command }) => command);
  expect(processes.filter((command) => !command.includes("plugin-host.ts"))).toEqual([]);
  expect(existsSync(join(session.project, ".lab"))).toBe(false);
  expect(projectFiles(session)).toEqual(atFirst);
  expect(filesIn(join(session.folder, "home")).map(({ path }) => path)).toEqual([]);
  expect(temporary()).toEqual([]);
});

test("with the session nothing of it is left at all", async () => {
  const { session } = life;
  await session.close();

  expect(existsSync(session.folder)).toBe(false);
  expect(session.leftovers()).toEqual([]);
});
