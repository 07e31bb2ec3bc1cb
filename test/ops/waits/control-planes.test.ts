import { apiServerReason, kubeletReason } from "../../../ops/waits/control-planes";

const FAILED =
  'Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (last log "E1202 19:17:47.123456 1234 run.go:72] command failed err=failed to find cgroup mounts")';
const SAID =
  'Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (last log "run.go:72] command failed err=failed to find cgroup mounts")';

test.each<[string, string, string, string[], string | undefined]>([
  ["running and healthy", "Running", "OK", [], undefined],
  ["between two restarts", "Waiting", "?", [FAILED, "Started task kubelet"], `kubelet Waiting: ${SAID}`],
  ["started once more", "Running", "?", ["Started task kubelet", FAILED], `kubelet Running: ${SAID}`],
  ["on its way", "Preparing", "?", ["Creating service runner"], "kubelet Preparing: Creating service runner"],
  ["silent", "Preparing", "?", [], "kubelet Preparing, health ?"],
])("a kubelet that is %s", (_case, ...[state, health, events, reason]) => {
  expect(kubeletReason({ state, health, events })).toBe(reason);
});

const pod = (name: string, spec: object): string =>
  JSON.stringify({ node: "10.5.0.2", metadata: { id: `kube-system/${name}-lab-controlplane-1` }, spec });
const ready = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };

test.each([
  ["no pods at all", "", "kubelet runs, kube-apiserver is not there yet"],
  ["ready", pod("kube-apiserver", ready), undefined],
  [
    "pulling its image in vain",
    pod("kube-apiserver", {
      phase: "Pending",
      conditions: [{ type: "Ready", status: "False" }],
      containerStatuses: [{ state: { waiting: { reason: "ImagePullBackOff", message: "no such host" } } }],
    }),
    "kube-apiserver Pending: ImagePullBackOff: no such host",
  ],
  [
    "not ready without a word",
    pod("kube-apiserver", { phase: "Running" }),
    "kube-apiserver Running, not ready",
  ],
  [
    // Seen on a real machine: they restart three or four times before all is well.
    "ready beside a controller manager that restarts",
    `${pod("kube-controller-manager", {
      phase: "Running",
      containerStatuses: [{ restartCount: 4, state: { waiting: { reason: "CrashLoopBackOff" } } }],
    })}\n---\n${pod("kube-apiserver", ready)}`,
    undefined,
  ],
])("static pods: %s", (_case, text, reason) => {
  expect(apiServerReason(text)).toBe(reason);
});
