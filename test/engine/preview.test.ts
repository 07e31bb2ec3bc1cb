/** Previews with no token, no network, no cluster, no Docker engine and nothing listening anywhere. */
import type { BarePreviews } from "./support/bare-preview";
import { barePreviews, where } from "./support/namespace";
import { undisturbed } from "./support/state";
import { ofType, stepsOf, titlesOf, unknownsByType } from "./support/steps";
import type { Step } from "./support/steps";

jest.setTimeout(120_000);

const SCHEMATIC = "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245";

const numbered = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`);

const network = (server: Step): unknown => (server.inputs["networks"] as { ip: string }[])[0]?.ip;

const group = (server: Step): string[] =>
  server.dependencies
    .filter((title) => title.startsWith("hcloud:index/placementGroup:"))
    .map((title) => title.split(" ")[1] ?? "");

describe(`the fleet, previewed ${where}`, () => {
  let previews: BarePreviews;
  let steps: Step[];

  beforeAll(async () => {
    previews = await barePreviews("hetzner");
    steps = stepsOf(previews.json);
  });

  test("everything is new", () => {
    expect([...new Set(steps.map(({ op }) => op))]).toEqual(["create"]);
    expect(titlesOf(steps)).toEqual(undisturbed("hetzner"));
  });

  test("seventeen servers with names, addresses, types, spread groups and locations", () => {
    const servers = ofType(steps, "hcloud:index/server:Server").map((server) => [
      server.inputs["name"],
      network(server),
      server.inputs["serverType"],
      group(server).join(),
      server.inputs["location"],
    ]);
    expect(servers.sort((a, b) => Number(String(a[1]).slice(7)) - Number(String(b[1]).slice(7)))).toEqual([
      ...numbered("hetzner-controlplane", 3).map((name, index) => [
        name,
        `10.0.1.${11 + index}`,
        "cpx22",
        "hetzner-controlplane-0",
        "fsn1",
      ]),
      ...numbered("hetzner-worker", 14).map((name, index) => [
        name,
        `10.0.1.${101 + index}`,
        "cpx32",
        `hetzner-worker-${Math.floor(index / 7)}`,
        "fsn1",
      ]),
    ]);
  });

  test("the schematic's id, the installer and the endpoint are known", () => {
    expect(previews.text.stdout).toContain(`schematicId      : "${SCHEMATIC}"`);
    expect(previews.text.stdout).toContain(
      `installerImage   : "factory.talos.dev/hcloud-installer/${SCHEMATIC}:v1.13.10"`,
    );
    expect(previews.text.stdout).toContain(`endpoint         : "https://10.0.1.10:6443"`);
    expect(JSON.stringify(ofType(steps, "kubernetes:core/v1:ConfigMap")[0]?.inputs)).toContain(SCHEMATIC);
  });

  test("unknown is what Hetzner or Talos gives out, and nothing else", () => {
    expect(unknownsByType(steps)).toEqual({
      "hcloud:index/networkSubnet:NetworkSubnet": ["networkId"],
      "hcloud:index/loadBalancerService:LoadBalancerService": ["loadBalancerId"],
      "hcloud:index/loadBalancerNetwork:LoadBalancerNetwork": ["loadBalancerId", "subnetId"],
      "hcloud:index/loadBalancerTarget:LoadBalancerTarget": ["loadBalancerId"],
      "hcloud:index/server:Server": [
        "firewallIds[0]",
        "image",
        "networks[0].subnetId",
        "placementGroupId",
        "publicNets[0].ipv4",
      ],
      "talos:machine/configurationApply:ConfigurationApply": ["clientConfiguration", "endpoint"],
      "talos:cluster/kubeconfig:Kubeconfig": ["clientConfiguration", "endpoint"],
      "command:local:Command": ["stdin", "triggers[0]"],
      "pulumi:providers:kubernetes": ["kubeconfig"],
    });
  });

  test("what the factory will be sent is known", () => {
    const [schematic] = steps.filter(({ title }) => title === "command:local:Command hetzner-schematic");
    expect(schematic?.inputs["stdin"]).toBe("[secret]");
  });
});

describe(`the lab, previewed without a Docker engine ${where}`, () => {
  const PORT = 50_000;
  let previews: BarePreviews;
  let steps: Step[];

  beforeAll(async () => {
    previews = await barePreviews("lab", {
      "talos-fleet:docker": { host: "unix:///nonexistent/docker.sock" },
    });
    steps = stepsOf(previews.json);
  });

  test("everything is new", () => {
    expect([...new Set(steps.map(({ op }) => op))]).toEqual(["create"]);
    expect(titlesOf(steps)).toEqual(undisturbed("lab"));
  });

  test("two containers with names, addresses, image and ports", () => {
    const containers = ofType(steps, "docker:index/container:Container").map(({ inputs }) => [
      inputs["name"],
      inputs["image"],
      (inputs["networksAdvanced"] as { ipv4Address: string }[])[0]?.ipv4Address,
      (inputs["ports"] as { internal: number; external: number }[]).map(
        ({ internal, external }) => `${internal}:${external}`,
      ),
    ]);
    expect(containers.sort()).toEqual([
      ["lab-controlplane-1", "ghcr.io/siderolabs/talos:v1.13.10", "10.5.0.2", [`50000:${PORT}`, "6443:6443"]],
      ["lab-worker-1", "ghcr.io/siderolabs/talos:v1.13.10", "10.5.0.3", [`50000:${PORT + 1}`]],
    ]);
  });

  test("the schematic's id and the endpoint are known", () => {
    expect(previews.text.stdout).toContain(`schematicId      : "${SCHEMATIC}"`);
    expect(previews.text.stdout).toContain(`endpoint         : "https://10.5.0.2:6443"`);
  });

  test("unknown is what Talos gives out, and nothing else", () => {
    expect(unknownsByType(steps)).toEqual({
      "talos:machine/configurationApply:ConfigurationApply": ["clientConfiguration"],
      "talos:cluster/kubeconfig:Kubeconfig": ["clientConfiguration"],
      "command:local:Command": ["create", "stdin", "triggers[0]"],
      "pulumi:providers:kubernetes": ["kubeconfig"],
    });
  });
});
