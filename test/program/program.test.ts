/** The whole program under mocks: what it registers, in which order, and what is secret. No engine, no provider. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockWorld } from "../support/mocks";
import { canaries } from "../support/answers";
import { type Outputs, runProgram } from "../support/program";
import { stackKeys } from "../support/plans";

const FLEET = {
  "talos-fleet:hetzner": {
    ...(stackKeys("hetzner")["hetzner"] as object),
    adminCidrs: ["198.18.0.7/32"],
    imageId: "4711",
  },
  "hcloud:token": "t".repeat(64),
};

interface Run {
  world: MockWorld;
  outputs: Outputs;
}

let lab: Run;
let fleet: Run;

beforeAll(async () => {
  lab = await runProgram("lab");
  fleet = await runProgram("hetzner", FLEET);
});

const golden = (name: string) =>
  readFileSync(join(__dirname, "inventory", `${name}.txt`), "utf8")
    .trim()
    .split("\n");

const place = ({ world }: Run, type: string, name: string) => world.resources.indexOf(world.find(type, name));

const COMMAND = "command:local:Command";
const APPLY = "talos:machine/configurationApply:ConfigurationApply";

test("the lab registers exactly its inventory", () => {
  expect(lab.world.inventory()).toEqual(golden("lab"));
});

test("the fleet of seventeen registers exactly its inventory", () => {
  expect(fleet.world.inventory()).toEqual(golden("hetzner"));
});

test("the stages come in order: schematic, machines, configs, bootstrap, kubeconfig, addons, ready", () => {
  for (const [run, name, machine] of [
    [lab, "lab", "docker:index/container:Container"],
    [fleet, "hetzner", "hcloud:index/server:Server"],
  ] as const) {
    const order = [
      place(run, COMMAND, `${name}-schematic`),
      place(run, machine, `${name}-controlplane-1`),
      place(run, APPLY, `${name}-controlplane-1-config`),
      place(run, COMMAND, `${name}-bootstrap`),
      place(run, "talos:cluster/kubeconfig:Kubeconfig", `${name}-kubeconfig`),
      place(run, COMMAND, `${name}-kubernetes-api`),
      place(run, "kubernetes:core/v1:ConfigMap", `${name}-record`),
      place(run, COMMAND, `${name}-ready`),
    ];
    expect(order).toEqual([...order].sort((a, b) => a - b));
  }
});

test("nothing but providers and plain components comes before the factory has taken the schematic", () => {
  for (const [run, name] of [
    [lab, "lab"],
    [fleet, "hetzner"],
  ] as const) {
    const before = run.world.resources.slice(0, place(run, COMMAND, `${name}-schematic`));
    const made = before.filter(({ type }) => !type.startsWith("talos-fleet:") && !type.startsWith("pulumi:"));
    // Judging the configs makes nothing.
    expect(made.map((resource) => resource.name)).toEqual([`${name}-validate`]);
  }
});

test("control planes take their configs one after the other", () => {
  const places = [1, 2, 3].map((n) => place(fleet, APPLY, `hetzner-controlplane-${n}-config`));
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test("no secret stands in the clear in any input", () => {
  for (const { world } of [lab, fleet]) {
    const visible = JSON.stringify(world.resources.map(({ name, plain }) => [name, plain]));
    for (const canary of Object.values(canaries)) expect(visible).not.toContain(canary);
    expect(visible).not.toContain("t".repeat(64));
    // The canaries are there to be found at all.
    const everything = JSON.stringify(world.resources.map(({ inputs }) => inputs));
    for (const canary of Object.values(canaries)) expect(everything).toContain(canary);
  }
});

test("secrets go to operations on standard input only", () => {
  for (const { world } of [lab, fleet]) {
    const commands = world.resources.filter(({ type }) => type === COMMAND);
    expect(commands.length).toBeGreaterThan(3);
    for (const { plain } of commands) {
      expect(plain["stdin"]).toBe("[secret]");
      expect(plain["update"]).toBeDefined();
      expect(plain).not.toHaveProperty("environment");
      expect(plain).not.toHaveProperty("dir");
      expect(JSON.stringify(plain)).not.toMatch(/"[^"]*(\/home|\/root|\/work|\/tmp)/);
    }
  }
});

test("a container is what talosctl makes, with named volumes and nothing secret", () => {
  const { plain } = lab.world.find("docker:index/container:Container", "lab-controlplane-1");
  const volume = (target: string, source: string) => ({ type: "volume", target, source });
  expect(plain).toEqual({
    name: "lab-controlplane-1",
    hostname: "lab-controlplane-1",
    image: "ghcr.io/siderolabs/talos:v1.13.10",
    envs: ["PLATFORM=container", "TALOSSKU=2CPU-2048RAM"],
    labels: [
      { label: "talos.owned", value: "true" },
      { label: "talos.cluster.name", value: "lab" },
      { label: "talos.type", value: "controlplane" },
    ],
    privileged: true,
    readOnly: true,
    securityOpts: ["seccomp=unconfined", "label=disable"],
    mounts: [
      { type: "tmpfs", target: "/run" },
      { type: "tmpfs", target: "/system" },
      { type: "tmpfs", target: "/tmp" },
      volume("/var", "lab-controlplane-1-var"),
      volume("/system/state", "lab-controlplane-1-system-state"),
      volume("/etc/cni", "lab-controlplane-1-etc-cni-v1.13.10"),
      volume("/etc/kubernetes", "lab-controlplane-1-etc-kubernetes-v1.13.10"),
      volume("/usr/libexec/kubernetes", "lab-controlplane-1-usr-libexec-kubernetes-v1.13.10"),
      volume("/opt", "lab-controlplane-1-opt-v1.13.10"),
    ],
    sysctls: { "net.ipv6.conf.all.disable_ipv6": "0" },
    cpus: "2.0",
    memory: 2048,
    memorySwap: 4096,
    networksAdvanced: [{ name: "lab", ipv4Address: "10.5.0.2" }],
    ports: [
      { internal: 50000, external: 50000, ip: "127.0.0.1", protocol: "tcp" },
      { internal: 6443, external: 6443, ip: "127.0.0.1", protocol: "tcp" },
    ],
    restart: "unless-stopped",
    stopTimeout: 30,
    destroyGraceSeconds: 30,
    removeVolumes: true,
    mustRun: true,
    attach: false,
    logs: false,
    wait: false,
  });
  const worker = lab.world.find("docker:index/container:Container", "lab-worker-1").plain;
  expect(worker["ports"]).toEqual([{ internal: 50000, external: 50001, ip: "127.0.0.1", protocol: "tcp" }]);
});

test("a server carries no user data and joins network, firewall and spread group at creation", () => {
  const { plain } = fleet.world.find("hcloud:index/server:Server", "hetzner-worker-8");
  expect(plain).toEqual({
    name: "hetzner-worker-8",
    serverType: "cpx32",
    location: "fsn1",
    image: "4711",
    labels: { "managed-by": "talos-fleet", cluster: "hetzner", role: "worker", pool: "worker" },
    firewallIds: [expect.any(Number) as number],
    placementGroupId: expect.any(Number) as number,
    publicNets: [{ ipv4Enabled: true, ipv6Enabled: true }],
    networks: [{ subnetId: expect.any(String) as string, ip: "10.0.1.108", aliasIps: [] }],
  });
  const group = fleet.world.find("hcloud:index/placementGroup:PlacementGroup", "hetzner-worker-1");
  expect(group.plain["name"]).toBe("hetzner-worker-1");
});

test("the firewall lets in the operators, to two ports", () => {
  const { plain } = fleet.world.find("hcloud:index/firewall:Firewall", "hetzner-firewall");
  const rules = plain["rules"] as Record<string, unknown>[];
  expect(rules.map(({ port, sourceIps, direction }) => [direction, port, sourceIps])).toEqual([
    ["in", "50000", ["198.18.0.7/32"]],
    ["in", "6443", ["198.18.0.7/32"]],
  ]);
});

test("outputs: the credentials are secret, the rest is for everybody", async () => {
  const { isSecret } = await import("@pulumi/pulumi");
  for (const { outputs } of [lab, fleet]) {
    expect(Object.keys(outputs).sort()).toEqual([
      "credentialsExpire",
      "endpoint",
      "installerImage",
      "kubeconfig",
      "nodes",
      "schematicId",
      "talosconfig",
    ]);
    expect(await isSecret(outputs["kubeconfig"] as never)).toBe(true);
    expect(await isSecret(outputs["talosconfig"] as never)).toBe(true);
    expect(await isSecret(outputs["credentialsExpire"] as never)).toBe(false);
  }
  expect(lab.outputs["endpoint"]).toBe("https://10.5.0.2:6443");
  expect(fleet.outputs["endpoint"]).toBe("https://10.0.1.10:6443");
  expect(lab.outputs["schematicId"]).toBe("613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245");
  expect(fleet.outputs["installerImage"]).toBe(
    "factory.talos.dev/hcloud-installer/613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245:v1.13.10",
  );
});
