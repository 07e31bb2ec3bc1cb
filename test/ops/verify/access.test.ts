import { recordData } from "../../../agreed/fleet-record";
import { checkLine } from "../../../ops/verify/check";
import {
  expiryChecks,
  fileChecks,
  shellChecks,
  strayChecks,
  untouchedChecks,
} from "../../../ops/verify/judge-access";
import { type LiveNode, nodeChecks, recordChecks } from "../../../ops/verify/judge-kubernetes";
import { shellAnswer } from "../../../ops/platforms/docker/verify";
import { labPlan } from "../../support/plans";

const node = (name: string, more: Partial<LiveNode> = {}): LiveNode => ({
  name,
  ready: true,
  kubelet: "v1.35.8",
  taints: [],
  labels: { "topology.kubernetes.io/zone": "lab-a", "node.lab/pool": "general" },
  ...more,
});

test("nodes Ready at the wanted version, with the labels of the patches", () => {
  const live = { found: [node("lab-controlplane-1"), node("lab-worker-1")] };
  expect(nodeChecks(labPlan(), live).map(checkLine)).toEqual([
    "pass  lab-controlplane-1 in Kubernetes: expected Ready, kubelet v1.35.8, seen Ready, kubelet v1.35.8",
    "pass  lab-worker-1 in Kubernetes: expected Ready, kubelet v1.35.8, seen Ready, kubelet v1.35.8",
    "pass  lab-controlplane-1 label topology.kubernetes.io/zone: expected lab-a, seen lab-a",
    "pass  lab-worker-1 label node.lab/pool: expected general, seen general",
  ]);
});

test("a node that is not Ready, one of another version, one that is missing", () => {
  const bad = { found: [node("lab-controlplane-1", { ready: false, kubelet: "v1.35.7", labels: {} })] };
  expect(nodeChecks(labPlan(), bad).map(checkLine)).toEqual([
    "FAIL  lab-controlplane-1 in Kubernetes: expected Ready, kubelet v1.35.8, seen not Ready, kubelet v1.35.7",
    "FAIL  lab-worker-1 in Kubernetes: expected Ready, kubelet v1.35.8, seen not registered",
    "FAIL  lab-controlplane-1 label topology.kubernetes.io/zone: expected lab-a, seen absent",
    "FAIL  lab-worker-1 label node.lab/pool: expected general, seen absent",
  ]);
  expect(nodeChecks(labPlan(), { fault: "connect ECONNREFUSED 127.0.0.1:6443" }).map(checkLine)).toEqual([
    "FAIL  Kubernetes nodes: expected Ready, kubelet v1.35.8, seen connect ECONNREFUSED 127.0.0.1:6443",
  ]);
});

test("without a CNI a node has to register, not to be Ready", () => {
  const plan = labPlan({ patches: { all: [{ cluster: { network: { cni: { name: "none" } } } }] } });
  const live = {
    found: [node("lab-controlplane-1", { ready: false }), node("lab-worker-1", { ready: false })],
  };
  expect(nodeChecks(plan, live).map(checkLine)).toEqual([
    "pass  lab-controlplane-1 in Kubernetes: expected kubelet v1.35.8, seen kubelet v1.35.8",
    "pass  lab-worker-1 in Kubernetes: expected kubelet v1.35.8, seen kubelet v1.35.8",
  ]);
});

test("the record in the cluster", () => {
  const wanted = recordData({ cluster: "lab", schematicId: "613e", versions: labPlan().versions });
  const seen = { cluster: "lab", contract: "v1.13", kubernetes: "1.34.9", schematic: "613e" };
  expect(recordChecks(wanted, { found: seen }).map(checkLine)).toEqual([
    "pass  ConfigMap kube-system/talos-fleet cluster: expected lab, seen lab",
    "pass  ConfigMap kube-system/talos-fleet contract: expected v1.13, seen v1.13",
    "FAIL  ConfigMap kube-system/talos-fleet kubernetes: expected 1.35.8, seen 1.34.9",
    "pass  ConfigMap kube-system/talos-fleet schematic: expected 613e, seen 613e",
    "FAIL  ConfigMap kube-system/talos-fleet talos: expected v1.13.10, seen absent",
  ]);
  expect(recordChecks(wanted, { fault: "/api answers 404" }).map(checkLine)).toEqual([
    "FAIL  ConfigMap kube-system/talos-fleet: expected the plan's versions and schematic, seen /api answers 404",
  ]);
});

test("no shell: every way an engine says so, and one that has a shell", () => {
  const text =
    'OCI runtime exec failed: exec failed: unable to start container process: exec: "sh": executable file not found in $PATH: unknown';
  const answers = [
    { node: "a", answer: { found: text } },
    { node: "b", answer: { found: "" } },
    { node: "c", answer: { fault: "(HTTP code 404) no such container" } },
  ];
  expect(shellChecks(answers).map(checkLine)).toEqual([
    "pass  a shell (docker exec a sh): expected executable file not found, seen executable file not found",
    'FAIL  b shell (docker exec b sh): expected executable file not found, seen it ran, and answered ""',
    "FAIL  c shell (docker exec c sh): expected executable file not found, seen (HTTP code 404) no such container",
  ]);
});

test("an engine that could not even try is neither good nor bad", () => {
  const text =
    "OCI runtime exec failed: exec failed: unable to start container process: unable to apply caps: operation not permitted: unknown\r\n";
  const crun = "crun: executable file `sh` not found in $PATH: No such file or directory";
  const checks = shellChecks([
    { node: "a", answer: { found: text } },
    { node: "b", answer: { found: crun } },
  ]);
  expect(checks.map(checkLine)).toEqual([
    `not tried  a shell (docker exec a sh): expected executable file not found, seen the engine could start nothing there: ${text.trim()}`,
    "pass  b shell (docker exec b sh): expected executable file not found, seen executable file not found",
  ]);
});

test.each([
  ["(HTTP code 409) unexpected - container 4f1 is not running ", "its container is stopped"],
  ["(HTTP code 404) no such container - No such container: lab-worker-1 ", "its container is not there"],
])("%s: in words, with what mends it", (fault, words) => {
  expect(shellAnswer({ fault })).toEqual({
    fault: `${words}: pulumi refresh, then pulumi up makes it again (make up does both)`,
  });
});

test("an engine that refuses the exec call itself says there is no shell all the same", () => {
  const fault = '(HTTP code 400) OCI runtime exec failed: exec: "sh": executable file not found in $PATH';
  expect(shellAnswer({ fault })).toEqual({ found: fault });
  expect(shellAnswer({ fault: "connect ENOENT /docker.sock" })).toEqual({
    fault: "connect ENOENT /docker.sock",
  });
});

test("a pool's taints and those of the patches are read back from the Node objects", () => {
  const plan = labPlan({
    workers: [
      {
        name: "worker",
        count: 1,
        taints: [
          { key: "dedicated", value: "build", effect: "NoSchedule" },
          { key: "spot", effect: "NoExecute" },
          { key: "dedicated", value: "build", effect: "NoExecute" },
        ],
      },
    ],
    patches: {
      controlPlanes: [{ machine: { nodeTaints: { "example.net/quiet": ":NoSchedule" } } }],
      workers: [
        {
          machine: {
            kubelet: {
              extraConfig: { registerWithTaints: [{ key: "own", value: "x", effect: "NoSchedule" }] },
            },
          },
        },
      ],
    },
  });
  const taints = [
    { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
    { key: "dedicated", value: "build", effect: "NoSchedule" },
    { key: "dedicated", value: "build", effect: "NoExecute" },
    { key: "own", value: "x", effect: "PreferNoSchedule" },
  ];
  const quiet = [{ key: "example.net/quiet", value: "", effect: "NoSchedule" }];
  const live = { found: [node("lab-controlplane-1", { taints: quiet }), node("lab-worker-1", { taints })] };
  expect(
    nodeChecks(plan, live)
      .map(checkLine)
      .filter((line) => line.includes("taint")),
  ).toEqual([
    "pass  lab-controlplane-1 taint example.net/quiet: expected NoSchedule, seen NoSchedule",
    "pass  lab-worker-1 taint dedicated: expected build:NoSchedule, seen build:NoSchedule",
    "FAIL  lab-worker-1 taint spot: expected NoExecute, seen absent",
    "pass  lab-worker-1 taint dedicated: expected build:NoExecute, seen build:NoExecute",
    "FAIL  lab-worker-1 taint own: expected x:NoSchedule, seen x:PreferNoSchedule",
  ]);
});

test("days left of both credentials", () => {
  const now = new Date("2026-11-30T12:00:00Z");
  expect(
    expiryChecks(
      [
        { credential: "kubeconfig", end: { found: new Date("2027-11-30T12:00:22Z") } },
        { credential: "talosconfig", end: { found: new Date("2026-12-10T00:00:00Z") } },
      ],
      now,
    ).map(checkLine),
  ).toEqual([
    "pass  kubeconfig certificate: expected 30 days left or more, seen 365 days left (2027-11-30)",
    "FAIL  talosconfig certificate: expected 30 days left or more, seen 9 days left (2026-12-10)",
  ]);
});

const file = { modified: "2026-11-01T00:00:00.000Z", mode: 0o600 };

test("the user's own files do not name the cluster", () => {
  const found = [
    { ...file, path: "/home/me/.talos/config", text: undefined },
    { ...file, path: "/home/me/.kube/config", text: "clusters: [{ ca: other }]" },
    { ...file, path: "/home/me/.kube/other", text: "certificate-authority-data: OURS" },
  ];
  const expected = "expected nothing of this cluster (looked for its certificate authorities)";
  expect(untouchedChecks(found, { found: ["OURS"] }).map(checkLine)).toEqual([
    `pass  /home/me/.talos/config untouched: ${expected}, seen no such file`,
    `pass  /home/me/.kube/config untouched: ${expected}, seen a file last changed 2026-11-01T00:00:00.000Z that does not name it`,
    `FAIL  /home/me/.kube/other untouched: ${expected}, seen a file last changed 2026-11-01T00:00:00.000Z that names it`,
  ]);
});

test("credentials that cannot be read tell nothing of the user's files", () => {
  const found = [{ ...file, path: "/home/me/.kube/config", text: "x" }];
  expect(untouchedChecks(found, { fault: "no clusters\nmore" }).map(checkLine)).toEqual([
    "FAIL  /home/me/.kube/config untouched: expected nothing of this cluster (looked for its certificate authorities), seen no clusters",
  ]);
});

test("logins that a plugin left in the temp folder are named by their paths, with what removes them", () => {
  const what = "kubeconfigs in the temp folder: expected none of this cluster, seen";
  expect(strayChecks({ found: [] }).map(checkLine)).toEqual([`pass  ${what} none`]);
  expect(strayChecks({ found: ["/tmp/kubeconfig17", "/tmp/kubeconfig4"] }).map(checkLine)).toEqual([
    `FAIL  ${what} /tmp/kubeconfig17 /tmp/kubeconfig4: the next pulumi preview or up removes them (talos-fleet down too)`,
  ]);
  expect(strayChecks({ fault: "kubeconfig: has no cluster" }).map(checkLine)).toEqual([
    `FAIL  ${what} kubeconfig: has no cluster`,
  ]);
});

test("the lab's files", () => {
  const of = (text: string | undefined, mode = 0o600) => ({
    file: { ...file, path: ".lab/kubeconfig", text, mode },
    output: "config",
  });
  expect(fileChecks([of("config"), of("config", 0o644), of("old"), of(undefined)]).map(checkLine)).toEqual([
    "pass  .lab/kubeconfig: expected mode 0600, the stack's output, seen mode 0600, the stack's output",
    "FAIL  .lab/kubeconfig: expected mode 0600, the stack's output, seen mode 0644, the stack's output",
    "FAIL  .lab/kubeconfig: expected mode 0600, the stack's output, seen mode 0600, not the stack's output",
    "FAIL  .lab/kubeconfig: expected mode 0600, the stack's output, seen no such file",
  ]);
});
