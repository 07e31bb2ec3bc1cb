/** Nothing that is secret in the stack file, or in a live config beside it, is ever printed. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { resolveConfig } from "../../../config/resolve";
import { readStackFile } from "../../../config/stack-file";
import type { ClusterPlan } from "../../../config/types";
import type { Look } from "../../../ops/lib/look";
import { checkLine } from "../../../ops/verify/check";
import { judgeCluster, type SeenCluster } from "../../../ops/verify/judge";
import { servicesOf } from "../../../ops/verify/judge-talos";
import { parseMachineConfigs } from "../../../ops/verify/parse";
import { asJson, asText } from "../../../ops/verify/report";

const CANARY = "c4n4ry";
const SECURE = { secure: "v1:ciphertext" };
const canary = (place: string): string => `${CANARY}-${place}`;

/** Every place of a patch that verify reads back, once encrypted as a value and once as a whole. */
const patches = {
  all: [
    {
      machine: {
        nodeLabels: { plain: "seen-label", "example.net/hidden": SECURE },
        sysctls: { "net.core.somaxconn": "65535", "kernel.hostname": SECURE },
        kubelet: {
          extraArgs: { "max-pods": "200", "provider-id": SECURE, "cluster-dns": ["10.5.0.2", SECURE] },
        },
        network: {
          extraHostEntries: [
            { ip: "10.5.0.9", aliases: ["plain.example.net"] },
            { ip: "10.5.0.9", aliases: [SECURE] },
          ],
        },
      },
    },
  ],
  controlPlanes: [
    {
      cluster: {
        apiServer: {
          extraArgs: {
            "event-ttl": "2h",
            "oidc-client-secret": canary("plain-secret"),
            "oidc-issuer-url": `https://me:${canary("url")}@example.net`,
          },
        },
        controllerManager: { extraArgs: { v: "2" } },
        scheduler: { extraArgs: { v: "2", first: SECURE } },
      },
    },
    { cluster: { controllerManager: { extraArgs: SECURE }, scheduler: { extraArgs: { first: ["again"] } } } },
  ],
  workers: [
    {
      machine: {
        kubelet: {
          extraConfig: { registerWithTaints: [{ key: "own", value: SECURE, effect: "NoSchedule" }] },
        },
      },
    },
  ],
};

let plan: ClusterPlan;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "tf-secret-"));
  const file = join(folder, "Pulumi.lab.yaml");
  const keys = {
    platform: "docker",
    talosVersion: "v1.13.10",
    kubernetesVersion: "1.35.8",
    talosContract: "v1.13",
    schematic: { customization: { extraKernelArgs: [SECURE] } },
    controlPlanes: { count: 1 },
    workers: [{ name: "worker", count: 1 }],
    patches,
  };
  const named = Object.entries(keys).map(([key, value]) => [`talos-fleet:${key}`, value]);
  writeFileSync(file, stringify({ config: Object.fromEntries(named) as unknown }));
  const { raw, readText } = readStackFile(file);
  plan = resolveConfig(raw, { stack: "lab", readText, phase: "preview" });
  rmSync(folder, { recursive: true });
});

/** A live config that holds the secrets in the clear, as nodes do. */
const liveConfig = (node: string): string => {
  const config = {
    machine: {
      token: canary("token"),
      ca: { key: canary("ca") },
      nodeLabels: { plain: "seen-label", "example.net/hidden": canary("label") },
      sysctls: { "net.core.somaxconn": "65535", "kernel.hostname": canary("sysctl") },
      kubelet: {
        extraArgs: {
          "max-pods": "110",
          "provider-id": canary("argument"),
          "cluster-dns": ["10.5.0.2", canary("list")],
        },
      },
      network: {
        extraHostEntries: [{ ip: "10.5.0.9", aliases: ["plain.example.net", canary("alias")] }],
      },
    },
    cluster: {
      secret: canary("cluster"),
      apiServer: {
        extraArgs: {
          "event-ttl": "1h",
          "oidc-client-secret": canary("live-secret"),
          "oidc-issuer-url": `https://me:${canary("live-url")}@example.net`,
        },
      },
      controllerManager: { extraArgs: { v: canary("whole") } },
      scheduler: { extraArgs: { v: "2", first: [canary("appended"), "again"] } },
    },
  };
  return stringify({ node, spec: stringify(config) });
};

const both = (text: (node: string, name: string) => string): string =>
  [text("10.5.0.2", "lab-controlplane-1"), text("10.5.0.3", "lab-worker-1")].join("---\n");

function seen(): SeenCluster {
  const labels = { plain: "seen-label", "example.net/hidden": canary("label") };
  const taints = [{ key: "own", value: canary("taint"), effect: "NoSchedule" }];
  const live = (name: string) => ({ name, ready: true, kubelet: "v1.35.8", labels, taints });
  const sysctls = new Map<string, Look<string>>([
    ["net.core.somaxconn", { found: "65535\n" }],
    ["kernel.hostname", { found: `${canary("kernel")}\n` }],
  ]);
  const services = both((node, name) =>
    servicesOf(name.includes("control") ? "controlplane" : "worker")
      .map((service) => `${node} ${service} Running OK\n`)
      .join(""),
  );
  return {
    texts: {
      members: { found: "" },
      versions: { found: both((node) => `NODE: ${node}\nTag: v1.13.10\n`) },
      services: { found: `NODE SERVICE STATE HEALTH\n${services.replace("---\n", "")}` },
      etcdMembers: { fault: "unavailable" },
    },
    configs: { found: parseMachineConfigs(both(liveConfig)) },
    sysctls: new Map([
      ["lab-controlplane-1", sysctls],
      ["lab-worker-1", sysctls],
    ]),
    nodes: { found: ["lab-controlplane-1", "lab-worker-1"].map(live) },
    record: { found: { schematic: "613e", cluster: "lab" } },
    platform: [],
    expiries: [],
    usersFiles: [{ path: "/home/me/.kube/config", text: canary("file"), modified: "now", mode: 0o600 }],
    authorities: { found: [canary("authority")] },
    strays: { found: ["/tmp/kubeconfig17"] },
    now: new Date(),
  };
}

test("no byte of a secret in the lines, nor in the JSON", () => {
  const checks = judgeCluster(plan, seen());
  for (const output of [asText("lab", checks), asJson("lab", checks)]) {
    expect(output).not.toContain(CANARY);
    expect(output).not.toContain("(encrypted)");
    expect(output).toContain("seen-label");
  }
});

test("what is encrypted is not tried, and says why; what is plain beside it is compared", () => {
  const lines = judgeCluster(plan, seen()).map(checkLine);
  const expected = (what: string) =>
    `not tried  ${what}: expected a secret value (not shown), seen a value (not shown; it is encrypted in the stack file, and verify cannot decrypt it)`;
  expect(lines).toEqual(
    expect.arrayContaining([
      ...[
        "lab-worker-1 config nodeLabels example.net/hidden",
        "lab-worker-1 config sysctls kernel.hostname",
        "lab-worker-1 sysctl kernel.hostname",
        "lab-worker-1 config kubelet provider-id",
        "lab-worker-1 config kubelet cluster-dns",
        "lab-worker-1 label example.net/hidden",
        "lab-worker-1 taint own",
        "lab-controlplane-1 config controllerManager v",
        "lab-controlplane-1 config scheduler first",
      ].map(expected),
      "FAIL  lab-worker-1 config kubelet max-pods: expected 200, seen 110",
      "pass  lab-worker-1 config extraHostEntries 10.5.0.9: expected plain.example.net, seen plain.example.net",
      "FAIL  lab-controlplane-1 config apiServer event-ttl: expected 2h, seen 1h",
      "FAIL  lab-controlplane-1 config apiServer oidc-client-secret: expected the stack file's value (not shown), seen another value (not shown)",
      "FAIL  lab-controlplane-1 config apiServer oidc-issuer-url: expected the stack file's value (not shown), seen another value (not shown)",
      "not tried  ConfigMap kube-system/talos-fleet schematic: expected the id of a schematic with secret values, seen an id (the values are encrypted in the stack file, and verify cannot decrypt them)",
    ]),
  );
});

test("a secret that is not there at all fails", () => {
  const { sysctls, ...rest } = seen();
  const none = { ...rest, sysctls: new Map([...sysctls.keys()].map((node) => [node, new Map()])) };
  expect(judgeCluster(plan, none).map(checkLine)).toContain(
    "FAIL  lab-worker-1 sysctl kernel.hostname: expected a secret value (not shown), seen absent",
  );
});

test("the last line and the JSON count what was not tried apart", () => {
  const check = { what: "x", expected: "y", seen: "z" };
  const good = [
    { ...check, result: "pass" as const },
    { ...check, result: "not tried" as const },
  ];
  expect(asText("lab", good).trim().split("\n").at(-1)).toBe("lab: all 1 pass, 1 not tried");
  expect(JSON.parse(asJson("lab", good))).toMatchObject({ ok: true, notTried: 1, checks: good });
  const bad = [...good, { ...check, result: "FAIL" as const }];
  expect(asText("lab", bad).trim().split("\n").at(-1)).toBe("lab: 1 of 2 FAIL, 1 not tried");
  expect(JSON.parse(asJson("lab", bad))).toMatchObject({ ok: false });
});
