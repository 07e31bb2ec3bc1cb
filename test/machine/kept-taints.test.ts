import type { Taint } from "../../config/types";
import { keptTaints, keptTaintsTexts } from "../../machine/kept-taints";

const build: Taint = { key: "dedicated", value: "build", effect: "NoSchedule" };
const spot: Taint = { key: "spot", effect: "NoExecute" };

const config = (taints?: readonly unknown[]) => [
  { apiVersion: "v1alpha1", kind: "HostnameConfig", hostname: "lab-worker-1" },
  { machine: { kubelet: taints === undefined ? {} : { extraConfig: { registerWithTaints: taints } } } },
];
const node = (taints: readonly Taint[]) => ({ name: "lab-worker-1", pool: "worker", taints });
interface Case {
  readonly name: string;
  readonly before?: readonly unknown[];
  readonly after?: readonly Taint[];
  readonly expected: readonly string[][];
}

test.each<Case>([
  { name: "none, then none", expected: [] },
  { name: "none, then an empty list", after: [], expected: [] },
  { name: "the same in another order", before: [build, spot], after: [spot, build], expected: [] },
  { name: "an empty value is none", before: [{ ...spot, value: "" }], after: [spot], expected: [] },
  {
    name: "the first ones",
    after: [build, spot],
    expected: [["dedicated=build:NoSchedule", "spot:NoExecute"]],
  },
  { name: "one more", before: [spot], after: [build, spot], expected: [["dedicated=build:NoSchedule"]] },
  {
    name: "another effect",
    before: [{ ...spot, effect: "NoSchedule" }],
    after: [spot],
    expected: [["spot:NoExecute"]],
  },
  {
    name: "another value",
    before: [{ ...build, value: "x" }],
    after: [build],
    expected: [["dedicated=build:NoSchedule"]],
  },
  { name: "one less", before: [build, spot], after: [build], expected: [[]] },
  { name: "all gone", before: [build], expected: [[]] },
])("$name", ({ before, after, expected }) => {
  const kept = keptTaints(node(after ?? []), config(before), config(after));
  expect(kept.map(({ added }) => added)).toEqual(expected);
});

test("what only patches or an earlier run said is never shown: it may be secret", () => {
  const canary = { key: "c4n4ry", value: "c4n4ry", effect: "NoSchedule" };
  const both = [
    ...keptTaints(node([]), config([canary]), config()),
    ...keptTaints(node([]), config(), config([canary])),
  ];
  expect(both).toHaveLength(2);
  expect(JSON.stringify([both, keptTaintsTexts(both)])).not.toContain("c4n4ry");
});

test("the words: one text for nodes that keep the same, with the call that does it now", () => {
  const of = (name: string, pool: string, added: readonly string[]) => ({ node: name, pool, added });
  expect(
    keptTaintsTexts([
      of("lab-worker-1", "worker", ["spot:NoExecute"]),
      of("lab-worker-2", "worker", ["spot:NoExecute"]),
      of("lab-db-1", "db", []),
    ]),
  ).toEqual([
    'taints: pool worker: lab-worker-1, lab-worker-2 registered with other taints, and Kubernetes takes no others from a kubelet later: only new nodes get these; "kubectl taint nodes --overwrite lab-worker-1 lab-worker-2 spot:NoExecute" adds them now; KEY:EFFECT- in such a call takes away what is gone',
    'taints: pool db: lab-db-1 registered with other taints, and Kubernetes takes no others from a kubelet later: only new nodes get these; "kubectl taint nodes --overwrite lab-db-1 KEY:EFFECT-" takes away what is gone',
  ]);
});
