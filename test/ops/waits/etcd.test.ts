import { memberFault, memberFaults, parseMembers } from "../../../ops/waits/etcd";
import { healthText, serviceStates } from "../../../ops/waits/services";

const MEMBERS = `NODE       ID                 HOSTNAME             PEER URLS               CLIENT URLS             LEARNER
10.5.0.2   3f8e5b1c2d4a6f70   lab-controlplane-1   https://10.5.0.2:2380   https://10.5.0.2:2379   false
10.5.0.2   aa11bb22cc33dd44   lab-controlplane-2   https://10.5.0.3:2380   https://10.5.0.3:2379   true
`;

test("reads the member table of talosctl", () => {
  expect(parseMembers(MEMBERS)).toEqual([
    { id: "3f8e5b1c2d4a6f70", hostname: "lab-controlplane-1", learner: false },
    { id: "aa11bb22cc33dd44", hostname: "lab-controlplane-2", learner: true },
  ]);
  expect(parseMembers("")).toEqual([]);
});

test("a control plane has to be a voting member; who leaves is still one when the last wait of a run looks", () => {
  const members = parseMembers(MEMBERS);
  expect(memberFaults(["lab-controlplane-1", "lab-controlplane-2", "lab-controlplane-3"], members)).toEqual({
    "lab-controlplane-2": "still a learner in etcd",
    "lab-controlplane-3": "not an etcd member",
  });
  expect(memberFaults(["lab-controlplane-2"], [{ id: "1", hostname: "stranger", learner: false }])).toEqual({
    "lab-controlplane-2": "not an etcd member",
  });
});

test("reads service blocks of several nodes", () => {
  const text = `NODE     10.5.0.2
ID       etcd
STATE    Running
HEALTH   OK
EVENTS   [Running]: Health check successful (3s ago)
NODE     10.5.0.4
ID       etcd
STATE    Preparing
HEALTH   ?
`;
  const health = [...serviceStates(text)].map(([node, state]) => [node, healthText(state)] as const);
  expect(new Map(health)).toEqual(
    new Map([
      ["10.5.0.2", "OK"],
      ["10.5.0.4", "Preparing, health ?"],
    ]),
  );
});

test("a node that is back: a voter again, nobody a learner, and control planes that have not joined are not missed", () => {
  const voter = (hostname: string) => ({ id: "1", hostname, learner: false });
  expect(memberFault("lab-controlplane-1", [voter("lab-controlplane-1")])).toEqual({});
  expect(memberFault("lab-controlplane-2", [voter("lab-controlplane-1")])).toEqual({
    "lab-controlplane-2": "not an etcd member",
  });
  expect(memberFault("lab-controlplane-1", parseMembers(MEMBERS))).toEqual({
    "lab-controlplane-2": "still a learner in etcd",
  });
});

test("reads what happened to a service, the newest first", () => {
  const text = `NODE     10.5.0.2
ID       kubelet
STATE    Waiting
HEALTH   ?
EVENTS   [Waiting]: Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1 (3s ago)
         [Running]: Started task kubelet (PID 1234) for container kubelet (1m4s ago)
`;
  expect(serviceStates(text).get("10.5.0.2")).toEqual({
    state: "Waiting",
    health: "?",
    events: [
      'Error running Containerd(kubelet), going to restart forever: task "kubelet" failed: exit code 1',
      "Started task kubelet (PID 1234) for container kubelet",
    ],
  });
});
