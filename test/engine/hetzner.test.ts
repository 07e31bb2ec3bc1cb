/** The fleet's whole life on Pulumi's real engine, what may be seen of its secrets, and what its credentials open. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { kubernetesNodes } from "../../rehearsal/demo/cluster";
import { contextsOf } from "./support/access";
import { stepsAfter, whileChanged } from "./support/change";
import { filesIn } from "./support/files";
import { projectFiles, startLife } from "./support/life";
import type { Life } from "./support/life";
import { failed, succeeded } from "./support/open";
import { describeSecrets } from "./support/secret-tests";
import { talosctl } from "./support/talosctl";
import { foundings, inState, undisturbed } from "./support/state";
import { changesOf, isTold, stepsOf, titlesOf } from "./support/steps";

jest.setTimeout(180_000);

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

const CONTROL_PLANES = numbered("hetzner-controlplane", 3);
const NODES = [...CONTROL_PLANES, ...numbered("hetzner-worker", 14)];

let life: Life;

beforeAll(async () => (life = await startLife("hetzner")));
afterAll(async () => life.end());

test("preview: all new, and neither Hetzner nor the factory is asked anything", async () => {
  const { session, take } = life;
  const steps = stepsOf(await take(session.preview({ json: true })));

  expect([...new Set(steps.map(({ op }) => op))]).toEqual(["create"]);
  expect(titlesOf(steps)).toEqual(undisturbed("hetzner"));
  expect(session.world.hetzner?.requests).toEqual([]);
  expect(session.world.factory?.requests).toEqual([]);
});

test("up creates exactly that, founds etcd once, and the outputs are there", async () => {
  const { session, take } = life;
  await take(session.up());

  expect(await inState(session)).toEqual(undisturbed("hetzner"));
  expect(foundings(session, NODES)).toBe(1);
  expect(session.world.hetzner?.inventory()).toMatchObject({
    servers: expect.arrayContaining(NODES) as string[],
    networks: ["hetzner"],
    firewalls: ["hetzner"],
    placementGroups: expect.arrayContaining([
      "hetzner-controlplane-0",
      "hetzner-worker-0",
      "hetzner-worker-1",
    ]) as string[],
    loadBalancers: ["hetzner-api"],
    snapshots: [],
    volumes: [],
    sshKeys: [],
  });
  expect(session.world.hetzner?.inventory().servers).toHaveLength(17);
  const outputs = await session.outputs();
  expect(outputs).toMatchObject({ kubeconfig: "[secret]", talosconfig: "[secret]" });
  expect(Object.keys(outputs["nodes"] as object).sort()).toEqual([...NODES].sort());
});

test("preview, refresh and preview again show no change", async () => {
  const { session, take } = life;
  await take(session.preview({ expectNoChanges: true, diff: true }));
  await take(session.pulumi(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]));

  expect(changesOf(stepsOf(await take(session.preview({ json: true }))))).toEqual([]);
});

describe("credentials", () => {
  let kubeconfig: string;
  let talosconfig: string;
  let nodes: Readonly<Record<string, { readonly talosEndpoint: string }>>;

  beforeAll(async () => {
    const outputs = await life.session.outputs({ showSecrets: true });
    kubeconfig = String(outputs["kubeconfig"]);
    talosconfig = String(outputs["talosconfig"]);
    nodes = outputs["nodes"] as typeof nodes;
  });

  test("the kubeconfig's contexts are the control planes' public addresses, the first one current; each works", async () => {
    const servers = CONTROL_PLANES.map((name) =>
      (nodes[name]?.talosEndpoint ?? "").replace(/^(.*):50000$/, "https://$1:6443"),
    );
    const contexts = contextsOf(kubeconfig);

    expect(servers[0]).toMatch(/^https:\/\/127\./);
    expect(contexts.map(({ server, current }) => [server, current])).toEqual(
      servers.map((server, index) => [server, index === 0]),
    );
    for (const context of contexts) {
      const seen = await kubernetesNodes(context.kubeconfig);
      expect(
        seen
          .filter(({ ready }) => ready)
          .map(({ name }) => name)
          .sort(),
      ).toEqual([...NODES].sort());
    }
  });

  test("talosctl needs no flag but the file: version of all nodes, members", async () => {
    const version = await talosctl(life.session, talosconfig, ["version", "--short"]);
    expect(new Set(version.match(/NODE: +\S+/g)).size).toBe(17);
    const members = await talosctl(life.session, talosconfig, ["get", "members"]);
    for (const name of NODES) expect(members).toContain(name);
  });

  test("no file is written for a fleet", () => {
    expect(existsSync(join(life.session.project, ".lab"))).toBe(false);
  });
});

describeSecrets(() => life);

describe("identity", () => {
  test("one more worker and a pool before the others change no other node; the fifteenth gets a third group", async () => {
    const workers = [
      { name: "database", count: 1, firstAddress: 50, serverType: "cpx32" },
      { name: "worker", count: 15, firstAddress: 101, serverType: "cpx32" },
    ];
    const steps = await stepsAfter(life.session, { "talos-fleet:workers": workers });

    expect(changesOf(steps.filter((step) => !isTold(step)))).toEqual([
      "create command:local:Command hetzner-database-1-departure",
      "create command:local:Command hetzner-worker-15-departure",
      "create hcloud:index/placementGroup:PlacementGroup hetzner-database-0",
      "create hcloud:index/placementGroup:PlacementGroup hetzner-worker-2",
      "create hcloud:index/server:Server hetzner-database-1",
      "create hcloud:index/server:Server hetzner-worker-15",
      "create talos:machine/configurationApply:ConfigurationApply hetzner-database-1-config",
      "create talos:machine/configurationApply:ConfigurationApply hetzner-worker-15-config",
    ]);
  });

  test("another token and other administrators change the provider, the firewall, and nothing else", async () => {
    const { session } = life;
    const hetzner = { adminCidrs: ["198.18.0.0/24"] };
    const changes = await whileChanged(session, { "talos-fleet:hetzner": hetzner }, async () => {
      const set = ["config", "set", "--secret", "hcloud:token"];
      succeeded(await session.pulumi(set, { stdin: "0".repeat(64) }));
      return changesOf(stepsOf(await session.preview({ json: true })));
    });

    expect(changes.map((change) => change.replace(/\[rules\[.*/, "[rules]"))).toEqual([
      "update hcloud:index/firewall:Firewall hetzner-firewall [rules]",
      "update pulumi:providers:hcloud hetzner-hcloud [token]",
    ]);
  });
});

test("another Kubernetes, another Talos, another schematic: refused in preview and up, and nothing is touched", async () => {
  const { session } = life;
  const changes = {
    "talos-fleet:kubernetesVersion": "1.36.4",
    "talos-fleet:talosVersion": "v1.13.9",
    "talos-fleet:schematic": { customization: {} },
  };
  const before = await session.exportState();
  await whileChanged(session, changes, async () => {
    for (const text of [failed(await session.preview()), failed(await session.up())]) {
      expect(text).toContain("kubernetesVersion: 1.36.4: the cluster runs Kubernetes 1.35.8");
      expect(text).toContain("talosVersion: v1.13.9: the servers run Talos v1.13.10");
      expect(text).toContain(
        "schematic: 376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba: the servers run the schematic",
      );
      expect(text).not.toMatch(/^\s+at .*\.ts:/m);
    }
  });
  const resources = ({ deployment }: typeof before) =>
    (deployment.resources ?? [])
      .filter(({ id, type }) => id !== undefined && !String(type).startsWith("pulumi:providers:"))
      .map(({ urn, id, modified }) => [urn, id, modified].join(" "))
      .sort();
  expect(resources(await session.exportState())).toEqual(resources(before));
});

test("a destroy with its preview is refused while control planes and secrets are protected, and deletes nothing", async () => {
  const { session } = life;
  const text = failed(await session.pulumi(["destroy", "--yes"]));

  expect(text).toContain("protected");
  expect(await inState(session)).toEqual(undisturbed("hetzner"));
  expect(session.world.hetzner?.inventory().servers).toHaveLength(17);
});

test("destroy leaves nothing: no process, server, address, network, balancer, snapshot or file", async () => {
  const { session, temporary, atFirst } = life;
  succeeded(await session.unprotect());
  succeeded(await session.destroy());

  expect(await inState(session)).toEqual([]);
  expect(session.world.leftovers()).toEqual([]);
  const processes = session.leftovers().map(({ command }) => command);
  expect(processes.filter((command) => !command.includes("plugin-host.ts"))).toEqual([]);
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
