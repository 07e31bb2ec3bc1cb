import type { Look } from "../../../ops/lib/look";
import { type Check, checkLine } from "../../../ops/verify/check";
import { talosChecks } from "../../../ops/verify/judge";
import { servicesOf, type TalosTexts } from "../../../ops/verify/judge-talos";
import type { LiveNode } from "../../../ops/verify/judge-kubernetes";
import type { ClusterPlan } from "../../../config/types";
import { hetznerPlan, labPlan } from "../../support/plans";

const table = (rows: string[][]): string =>
  [["NODE", "SERVICE", "STATE", "HEALTH", "LAST CHANGE", "LAST EVENT"], ...rows]
    .map((row) => row.join("   "))
    .join("\n");

const running = (node: string, services: readonly string[]): string[][] =>
  services.map((service) => [node, service, "Running", "OK", "1m17s ago", "Started task"]);

const member = (node: string, hostname: string): string =>
  `node: ${node}\nmetadata:\n  type: Members.cluster.talos.dev\nspec:\n  hostname: ${hostname}\n`;

const CONTROL_PLANE = "10.5.0.2";
const WORKER = "10.5.0.3";
const NAMES = ["lab-controlplane-1", "lab-worker-1"];

const good = {
  members: [CONTROL_PLANE, WORKER].flatMap((node) => NAMES.map((name) => member(node, name))).join("---\n"),
  versions: [
    "Client:\nTalos v1.13.9\nServer:",
    `\tNODE:        ${CONTROL_PLANE}\n\tTag:         v1.13.10\n\tSHA:         abc`,
    `\tNODE:        ${WORKER}\n\tTag:         v1.13.10\n`,
  ].join("\n"),
  services: table([
    ...running(CONTROL_PLANE, servicesOf("controlplane")),
    ...running(WORKER, servicesOf("worker")),
  ]),
  etcdMembers: [
    "NODE       ID                 HOSTNAME             PEER URLS               CLIENT URLS             LEARNER",
    "10.5.0.2   3463852b90a9607d   lab-controlplane-1   https://10.5.0.2:2380   https://10.5.0.2:2379   false",
  ].join("\n"),
};

type Given = Partial<Record<keyof TalosTexts, string | { fault: string }>>;

const liveNode = (name: string): LiveNode => ({ name, ready: true, kubelet: "", labels: {}, taints: [] });

function checks(
  given: Given = {},
  plan: ClusterPlan = labPlan(),
  nodes: Look<readonly LiveNode[]> = { found: NAMES.map(liveNode) },
): readonly Check[] {
  const all = { ...good, ...given };
  const look = (value: string | { fault: string }): Look<string> =>
    typeof value === "string" ? { found: value } : value;
  const texts = {
    members: look(all.members),
    versions: look(all.versions),
    services: look(all.services),
    etcdMembers: look(all.etcdMembers),
  };
  return talosChecks(plan, { texts, nodes });
}

const failures = (given: Given, plan: ClusterPlan = labPlan()): string[] =>
  checks(given, plan)
    .filter(({ result }) => result === "FAIL")
    .map(checkLine);

test("a lab as it should be, line by line", () => {
  expect(checks().map(checkLine)).toEqual([
    "pass  lab-controlplane-1 members: expected lab-controlplane-1 lab-worker-1, seen lab-controlplane-1 lab-worker-1",
    "pass  lab-worker-1 members: expected lab-controlplane-1 lab-worker-1, seen lab-controlplane-1 lab-worker-1",
    "pass  lab-controlplane-1 Talos version: expected v1.13.10, seen v1.13.10",
    "pass  lab-worker-1 Talos version: expected v1.13.10, seen v1.13.10",
    "pass  lab-controlplane-1 services: expected 7 healthy (apid containerd cri etcd kubelet machined trustd), seen 7 healthy (apid containerd cri etcd kubelet machined trustd)",
    "pass  lab-worker-1 services: expected 5 healthy (apid containerd cri kubelet machined), seen 5 healthy (apid containerd cri kubelet machined)",
    "pass  etcd members: expected lab-controlplane-1, seen lab-controlplane-1",
  ]);
});

test.each<[string, Given, string[]]>([
  [
    "a worker that knows only itself",
    {
      members: [...NAMES.map((name) => member(CONTROL_PLANE, name)), member(WORKER, "lab-worker-1")].join(
        "---\n",
      ),
    },
    ["FAIL  lab-worker-1 members: expected lab-controlplane-1 lab-worker-1, seen lab-worker-1"],
  ],
  [
    "a node that does not answer",
    { versions: `Server:\n\tNODE:        ${CONTROL_PLANE}\n\tTag:         v1.13.10\n` },
    ["FAIL  lab-worker-1 Talos version: expected v1.13.10, seen no answer"],
  ],
  [
    "another version",
    {
      versions: `\tNODE:        ${CONTROL_PLANE}\n\tTag:         v1.13.9\n\tNODE:        ${WORKER}\n\tTag:         v1.13.10\n`,
    },
    ["FAIL  lab-controlplane-1 Talos version: expected v1.13.10, seen v1.13.9"],
  ],
  [
    "a sick kubelet",
    {
      services: table([
        ...running(CONTROL_PLANE, servicesOf("controlplane")),
        ...running(WORKER, ["apid", "containerd", "cri", "machined"]),
        [WORKER, "kubelet", "Waiting", "Fail", "1s ago", "Restarting"],
      ]),
    },
    [
      "FAIL  lab-worker-1 services: expected 5 healthy (apid containerd cri kubelet machined), seen 4 healthy (apid containerd cri machined); kubelet Waiting, health Fail",
    ],
  ],
  [
    "a worker that runs etcd",
    {
      services: table([
        ...running(CONTROL_PLANE, servicesOf("controlplane")),
        ...running(WORKER, [...servicesOf("worker"), "etcd"]),
      ]),
    },
    [
      "FAIL  lab-worker-1 services: expected 5 healthy (apid containerd cri kubelet machined), seen 6 healthy (apid containerd cri etcd kubelet machined)",
    ],
  ],
  [
    "a learner",
    { etcdMembers: good.etcdMembers.replace(/false$/, "true") },
    ["FAIL  etcd members: expected lab-controlplane-1, seen lab-controlplane-1(learner)"],
  ],
  [
    "no Talos API at all",
    {
      members: { fault: "rpc error: code = Unavailable\nmore" },
      versions: { fault: "no answer within 20 s" },
      services: { fault: "no answer within 20 s" },
      etcdMembers: { fault: "no answer within 20 s" },
    },
    [
      "FAIL  members: expected lab-controlplane-1 lab-worker-1, seen rpc error: code = Unavailable",
      "FAIL  Talos versions: expected v1.13.10, seen no answer within 20 s",
      "FAIL  services: expected all running and healthy, seen no answer within 20 s",
      "FAIL  etcd members: expected lab-controlplane-1, seen no answer within 20 s",
    ],
  ],
])("%s", (_case, given, expected) => {
  expect(failures(given)).toEqual(expected);
});

test("members are not asked for where a patch switches discovery off", () => {
  const plan = labPlan({ patches: { all: [{ cluster: { discovery: { enabled: false } } }] } });
  expect(failures({ members: "" }, plan)).toEqual([]);
});

const alone = [member(CONTROL_PLANE, NAMES[0]!), member(WORKER, NAMES[1]!)].join("---\n");
const NOT_REACHED =
  "members (from etcd and Kubernetes: the discovery service was not reached, each node sees itself only)";

test.each([
  ["each node sees itself only", alone],
  ["no node sees anybody", ""],
])("%s: the members are those of etcd and Kubernetes", (_case, members) => {
  const [first, ...rest] = checks({ members });
  expect(first && checkLine(first)).toBe(
    `pass  ${NOT_REACHED}: expected lab-controlplane-1 lab-worker-1, seen lab-controlplane-1 lab-worker-1`,
  );
  expect(rest.filter(({ result }) => result === "FAIL")).toEqual([]);
});

test("without discovery a node that Kubernetes does not know is missing", () => {
  const [first] = checks({ members: alone }, labPlan(), { found: [liveNode("lab-controlplane-1")] });
  expect(first && checkLine(first)).toBe(
    `FAIL  ${NOT_REACHED}: expected lab-controlplane-1 lab-worker-1, seen etcd: lab-controlplane-1; Kubernetes: lab-controlplane-1`,
  );
  const [unseen] = checks({ members: alone }, labPlan(), { fault: "connect ECONNREFUSED\nmore" });
  expect(unseen).toMatchObject({
    result: "FAIL",
    seen: "etcd: lab-controlplane-1; Kubernetes: connect ECONNREFUSED",
  });
});

test("one node that does not discover is enough for the others not to see it", () => {
  const plan = labPlan({ patches: { workers: [{ cluster: { discovery: { enabled: false } } }] } });
  const [first] = checks({ members: alone }, plan);
  expect(first).toMatchObject({
    result: "pass",
    what: "members (from etcd and Kubernetes: a patch switches the discovery service off)",
  });
});

test("servers run more services than containers, and only ours must be healthy", () => {
  const plan = hetznerPlan();
  const services = plan.nodes.flatMap(({ address, role }) => [
    ...running(address, [...servicesOf(role), "udevd"]),
    [address, "dashboard", "Running", "?", "1s ago", "Started"],
  ]);
  const lines = checks({ services: table(services) }, plan).filter(({ what }) => what.endsWith(" services"));
  expect(lines).toHaveLength(17);
  expect(lines.filter(({ result }) => result === "FAIL")).toEqual([]);
});
