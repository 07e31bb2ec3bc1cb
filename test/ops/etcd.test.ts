import { memberFaults, parseMembers, parseServices } from "../../ops/waits/etcd";

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

test("a control plane has to be a voting member, and members have to be control planes", () => {
  const members = parseMembers(MEMBERS);
  expect(memberFaults(["lab-controlplane-1", "lab-controlplane-2", "lab-controlplane-3"], members)).toEqual({
    "lab-controlplane-2": "still a learner in etcd",
    "lab-controlplane-3": "not an etcd member",
  });
  expect(memberFaults(["lab-controlplane-2"], [{ id: "1", hostname: "stranger", learner: false }])).toEqual({
    "lab-controlplane-2": "not an etcd member",
    stranger: "an etcd member that is no control plane of this stack",
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
  expect(parseServices(text)).toEqual(
    new Map([
      ["10.5.0.2", "OK"],
      ["10.5.0.4", "Preparing, health ?"],
    ]),
  );
});
