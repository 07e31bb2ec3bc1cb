import type { EtcdMember } from "../../../ops/waits/etcd";
import { whyItMustStay } from "../../../ops/remove-node/judge";

const member = (hostname: string, learner = false) => ({ id: hostname, hostname, learner });
const three = [member("cp-1"), member("cp-2"), member("cp-3")];

test.each<[string, EtcdMember[], string[], string | undefined]>([
  ["the others are well", three, ["cp-1", "cp-2"], undefined],
  ["it is no member", three.slice(0, 2), [], undefined],
  ["it has no vote", [member("cp-1"), member("cp-3", true)], [], undefined],
  ["two of which the other is well", [member("cp-1"), member("cp-3")], ["cp-1"], undefined],
  [
    "one of the two others is ill",
    three,
    ["cp-1"],
    "of the 2 others 1 would be healthy, and etcd needs 2 of them; mend cp-2 first",
  ],
  [
    "it is the last",
    [member("cp-3")],
    [],
    "it is the only voting member: without it etcd, and all that it holds, is gone",
  ],
  [
    "a learner is no help",
    [member("cp-1", true), member("cp-3")],
    ["cp-1"],
    "it is the only voting member: without it etcd, and all that it holds, is gone",
  ],
])("%s", (_case, ...[members, healthy, reason]) => {
  expect(whyItMustStay({ name: "cp-3", members, healthy: new Set(healthy) })).toBe(reason);
});
