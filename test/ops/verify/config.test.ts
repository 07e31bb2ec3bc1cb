import type { Look } from "../../../ops/lib/look";
import { checkLine } from "../../../ops/verify/check";
import { configChecks, sysctlChecks, sysctlPath, wantedSysctls } from "../../../ops/verify/judge-config";
import { parseMachineConfigs } from "../../../ops/verify/parse";
import { labPlan } from "../../support/plans";

/** As `talosctl get machineconfig v1alpha1 -o yaml` prints it. */
function resource(node: string, config: string): string {
  const spec = config
    .trim()
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
  return `node: ${node}\nmetadata:\n    id: v1alpha1\nspec: |\n${spec}\n`;
}

const controlPlane = `
version: v1alpha1
machine:
    type: controlplane
    token: never-shown
    network:
        extraHostEntries:
            - ip: 10.5.0.2
              aliases:
                - registry.lab.internal
    nodeLabels:
        topology.kubernetes.io/zone: lab-a
cluster:
    apiServer:
        extraArgs:
            event-ttl: 2h
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: "off"
`;

const worker = `
version: v1alpha1
machine:
    type: worker
    token: never-shown
    kubelet:
        extraArgs:
            max-pods: "200"
    network:
        extraHostEntries:
            - ip: 10.5.0.2
              aliases:
                - registry.lab.internal
    sysctls:
        fs.inotify.max_user_instances: "8192"
        net.core.somaxconn: "65535"
    nodeLabels:
        node.lab/pool: general
cluster:
    allowSchedulingOnControlPlanes: false
`;

const lines = (first: string, second: string, plan = labPlan()): string[] =>
  configChecks(plan.nodes, {
    found: parseMachineConfigs(`${resource("10.5.0.2", first)}---\n${resource("10.5.0.3", second)}`),
  }).map(checkLine);

test("the committed patches, read back", () => {
  expect(lines(controlPlane, worker)).toEqual([
    "pass  lab-controlplane-1 config apiServer event-ttl: expected 2h, seen 2h",
    "pass  lab-controlplane-1 config nodeLabels topology.kubernetes.io/zone: expected lab-a, seen lab-a",
    "pass  lab-controlplane-1 config extraHostEntries 10.5.0.2: expected registry.lab.internal, seen registry.lab.internal",
    "pass  lab-controlplane-1 config allowSchedulingOnControlPlanes: expected false, seen false",
    "pass  lab-worker-1 config kubelet max-pods: expected 200, seen 200",
    "pass  lab-worker-1 config nodeLabels node.lab/pool: expected general, seen general",
    "pass  lab-worker-1 config sysctls net.core.somaxconn: expected 65535, seen 65535",
    "pass  lab-worker-1 config sysctls fs.inotify.max_user_instances: expected 8192, seen 8192",
    "pass  lab-worker-1 config extraHostEntries 10.5.0.2: expected registry.lab.internal, seen registry.lab.internal",
    "pass  lab-worker-1 config allowSchedulingOnControlPlanes: expected false, seen false",
  ]);
});

test("what differs is named, and nothing else of the config is shown", () => {
  const changed = worker
    .replace('"200"', '"110"')
    .replace("node.lab/pool: general", "other: label")
    .replace("registry.lab.internal", "elsewhere")
    .replace("allowSchedulingOnControlPlanes: false", "allowSchedulingOnControlPlanes: true");
  const found = lines(controlPlane.replace("2h", "1h"), changed);
  expect(found.filter((line) => line.startsWith("FAIL"))).toEqual([
    "FAIL  lab-controlplane-1 config apiServer event-ttl: expected 2h, seen 1h",
    "FAIL  lab-worker-1 config kubelet max-pods: expected 200, seen 110",
    "FAIL  lab-worker-1 config nodeLabels node.lab/pool: expected general, seen absent",
    "FAIL  lab-worker-1 config extraHostEntries 10.5.0.2: expected registry.lab.internal, seen elsewhere",
    "FAIL  lab-worker-1 config allowSchedulingOnControlPlanes: expected false, seen true",
  ]);
  expect(found.join("\n")).not.toContain("never-shown");
});

test("a pool's labels, a later patch over an earlier one, a deletion and an argument list", () => {
  const plan = labPlan({
    workers: [{ name: "worker", count: 1, labels: { tier: "one" } }],
    patches: {
      workers: [
        {
          machine: {
            nodeLabels: { tier: "two", old: "x" },
            kubelet: { extraArgs: { "feature-gates": ["A=true", "B=true"] } },
          },
        },
        { machine: { nodeLabels: { old: { $patch: "delete" } } } },
      ],
    },
  });
  const live =
    "machine:\n    nodeLabels:\n        tier: two\n    kubelet:\n        extraArgs:\n            feature-gates: A=true,B=true\n";
  expect(lines(controlPlane, live, plan)).toEqual([
    "pass  lab-worker-1 config kubelet feature-gates: expected A=true,B=true, seen A=true,B=true",
    "pass  lab-worker-1 config nodeLabels tier: expected two, seen two",
    "pass  lab-worker-1 config nodeLabels old: expected absent, seen absent",
  ]);
});

test("a node without an answer, and none at all", () => {
  const { nodes } = labPlan();
  const one = configChecks(nodes.slice(1), { found: new Map() }).map(checkLine);
  expect(one).toEqual(["FAIL  lab-worker-1 machine config: expected what its patches say, seen no answer"]);
  expect(configChecks(nodes, { fault: "connection refused" }).map(checkLine)).toEqual([
    "FAIL  lab-controlplane-1 machine config: expected what its patches say, seen connection refused",
    "FAIL  lab-worker-1 machine config: expected what its patches say, seen connection refused",
  ]);
});

test("sysctls are compared with what the kernel says", () => {
  const plan = labPlan({
    patches: {
      workers: [
        { machine: { sysctls: { "net.ipv4.tcp_rmem": "4096 131072 6291456", "vm.swappiness": "10" } } },
      ],
    },
  });
  const worker1 = plan.nodes.filter(({ role }) => role === "worker");
  expect(worker1.map((node) => [...wantedSysctls(node)])).toEqual([
    [
      ["net.ipv4.tcp_rmem", { kind: "text", text: "4096 131072 6291456" }],
      ["vm.swappiness", { kind: "text", text: "10" }],
    ],
  ]);
  const seen = new Map<string, Look<string>>([
    ["net.ipv4.tcp_rmem", { found: "4096\t131072\t6291456\n" }],
    ["vm.swappiness", { found: "60\n" }],
  ]);
  expect(sysctlChecks(worker1, new Map([["lab-worker-1", seen]])).map(checkLine)).toEqual([
    "pass  lab-worker-1 sysctl net.ipv4.tcp_rmem: expected 4096 131072 6291456, seen 4096 131072 6291456",
    "FAIL  lab-worker-1 sysctl vm.swappiness: expected 10, seen 60",
  ]);
});

test.each([
  ["net.core.somaxconn", "/proc/sys/net/core/somaxconn"],
  ["net.ipv4.conf.eth0/100.forwarding", "/proc/sys/net/ipv4/conf/eth0.100/forwarding"],
])("%s is read from %s", (key, path) => {
  expect(sysctlPath(key)).toBe(path);
});
