import { parseAllDocuments } from "yaml";

import { readDraft } from "../../../config/draft";
import { layoutOf } from "../../../config/layout";
import { baseDocuments } from "../../../config/rules/base-config";
import { configOf } from "../../../ops/render/command";
import { clusterOf, patchSources } from "../../../machine/configs-input";
import { withRenderer } from "../../../ops/render/render";
import type { Renderer } from "../../../ops/render/render";
import type { OfflineTalosctl } from "../../../ops/clients/talosctl-offline";
import { isMappingValue } from "../../../base/paths";
import type { Patch } from "../../../agreed/types";
import { patchesFor } from "../../../machine/patches";
import { faultLines } from "../../config/fixtures";
import { hetznerPlan, labPlan, stackKeys } from "../../support/plans";
import { buildTimeMs, ownTemporaryFolder, realTalosctl } from "./real-talosctl";

jest.setTimeout(60_000);

let talosctl: OfflineTalosctl;
const temporary = ownTemporaryFolder();
beforeAll(async () => {
  talosctl = await realTalosctl();
}, buildTimeMs);
afterAll(() => temporary.remove());

type Config = Record<string, unknown>;
const documentsOf = (text: string): Config[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Config);

test("a node's config is Talos' own, with our patches and the operator's, and nothing stays behind", async () => {
  const workers = [
    { name: "batch", count: 1, labels: { tier: "batch" }, taints: [{ key: "a.b/c", effect: "NoSchedule" }] },
  ];
  const plan = labPlan({ workers, patches: { all: [{ machine: { sysctls: { "vm.swappiness": "1" } } }] } });
  const [machine, hostname] = documentsOf(await configOf(plan, "lab-batch-1"));

  expect(machine).toMatchObject({
    machine: {
      type: "worker",
      kubelet: { extraConfig: { registerWithTaints: [{ key: "a.b/c", effect: "NoSchedule" }] } },
      nodeLabels: { tier: "batch" },
      sysctls: { "vm.swappiness": "1" },
    },
  });
  expect(machine?.["machine"]).not.toHaveProperty("nodeTaints");
  expect(hostname).toMatchObject({ kind: "HostnameConfig", hostname: "lab-batch-1" });
  expect(temporary.left()).toEqual([]);
});

test("a name that is no node's is bad input, with the nearest one", async () => {
  await expect(configOf(labPlan(), "lab-wroker-1")).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining("the nearest is lab-worker-1") as unknown,
  });
});

test("another CNI is one line on both platforms: Talos takes it", async () => {
  const patches = { all: [{ cluster: { network: { cni: { name: "none" } } } }] };
  for (const plan of [labPlan({ patches }), hetznerPlan({ patches })]) {
    const [machine] = documentsOf(await configOf(plan, plan.nodes[0]!.name));
    expect(machine).toMatchObject({ cluster: { network: { cni: { name: "none" } } } });
  }
});

/** Every mapping in a document, by its path. */
function mappingsIn(value: unknown, path = ""): string[] {
  if (!isMappingValue(value)) return [];
  return [path, ...Object.entries(value).flatMap(([key, item]) => mappingsIn(item, `${path}/${key}`))];
}

const stacks = [
  ["lab", labPlan({ patches: {} })],
  ["hetzner", hetznerPlan({ patches: {} })],
] as const;

test.each(stacks)(
  "what rules believe a node of the %s to hold is what its config holds",
  async (stack, plan) => {
    const sources = patchSources(plan);
    const draft = readDraft(stackKeys(stack, { patches: {} }));
    const layout = layoutOf(draft, stack);
    await withRenderer(clusterOf(plan, sources), talosctl, async ({ render }) => {
      for (const role of ["controlplane", "worker"] as const) {
        const node = plan.nodes.find((other) => other.role === role)!;
        const believed = baseDocuments(
          layout.find(({ name }) => name === node.name)!,
          draft,
        );
        const rendered = await render(role, patchesFor(node, sources));
        if (!rendered.ok) throw new Error(rendered.said);
        const real = documentsOf(await rendered.text());
        const machine = believed.filter(({ kind }) => kind === undefined);
        const paths = new Set(machine.flatMap((document) => mappingsIn(document)));

        // Always there, and left out of the text while empty.
        paths.delete("/machine/registries");
        const given = mappingsIn(real[0]).filter((path) => !path.includes("admissionControl"));
        expect(
          given.filter((path) => !paths.has(path) && !path.startsWith("/cluster/apiServer/auditPolicy/")),
        ).toEqual([]);
        expect([...paths].filter((path) => !given.includes(path))).toEqual([]);
        expect(kindsOf(believed)).toEqual(kindsOf(real));
      }
    });
  },
);

const kindsOf = (documents: readonly Readonly<Config>[]) =>
  documents.flatMap(({ kind }) => (typeof kind === "string" ? [kind] : [])).sort();

/** `[patches of all nodes in order]`: whether the last is refused, is what talosctl and the rule have to agree on. */
const deletions: readonly (readonly Config[])[] = [
  [{ machine: { sysctls: { a: { $patch: "delete" } } } }],
  [{ machine: { sysctls: { a: "1" } } }, { machine: { sysctls: { a: { $patch: "delete" }, b: "2" } } }],
  [{ machine: { sysctls: { $patch: "delete" } } }],
  [{ machine: { registries: { mirrors: { $patch: "delete" } } } }],
  [{ machine: { registries: { mirrors: { "docker.io": { $patch: "delete" } } } } }],
  [{ machine: { network: { nameservers: { $patch: "delete" } } } }],
  [
    { machine: { network: { nameservers: ["192.0.2.1"] } } },
    { machine: { network: { nameservers: { $patch: "delete" } } } },
  ],
  [{ machine: { kubelet: { extraArgs: { v: { $patch: "delete" } } } } }],
  [
    { machine: { kubelet: { extraConfig: { a: { b: 1 } } } } },
    { machine: { kubelet: { extraConfig: { a: { b: { $patch: "delete" } } } } } },
  ],
  [{ machine: { kubelet: { extraConfig: { a: { $patch: "delete" } } } } }],
  [{ cluster: { scheduler: { extraArgs: { $patch: "delete" } } } }],
  [{ cluster: { apiServer: { admissionControl: { $patch: "delete" } } } }],
  [{ cluster: { apiServer: { admissionControl: [{ name: "PodSecurity", $patch: "delete" }] } } }],
  [{ cluster: { network: { cni: { name: "none", flannel: { $patch: "delete" } } } } }],
  [
    { machine: { kubelet: { extraMounts: [{ destination: "/a", type: "bind", source: "/a" }] } } },
    { machine: { kubelet: { extraMounts: [{ destination: "/a", $patch: "delete" }] } } },
  ],
  [{ machine: { kubelet: { extraMounts: [{ destination: "/b", $patch: "delete" }] } } }],
  [{ machine: { network: { interfaces: [{ interface: "eth0", dhcp: { $patch: "delete" } }] } } }],
  [{ apiVersion: "v1alpha1", kind: "LinkConfig", name: "eth7", mtu: { $patch: "delete" } }],
  [
    { apiVersion: "v1alpha1", kind: "LinkConfig", name: "eth7", up: true, mtu: 1400 },
    { apiVersion: "v1alpha1", kind: "LinkConfig", name: "eth7", mtu: { $patch: "delete" } },
  ],
];

test.each(stacks)("on the %s deletions find what talosctl finds", async (stack, plan) => {
  const sources = patchSources(plan);
  const refused =
    (render: Renderer["render"]) =>
    async (node: (typeof plan.nodes)[number], documents: readonly Config[]) => {
      const operators: Patch[] = documents.map((document, index) => ({
        source: `${index}`,
        documents: [document],
      }));
      return !(await render(node.role, [...patchesFor(node, sources), ...operators])).ok;
    };
  await withRenderer(clusterOf(plan, sources), talosctl, async ({ render }) => {
    for (const documents of deletions) {
      const answers = [];
      for (const role of ["controlplane", "worker"] as const)
        answers.push(
          await refused(render)(
            plan.nodes.find((node) => node.role === role)!,
            documents,
          ),
        );
      const lines = faultLines(stackKeys(stack, { patches: { all: documents } })).filter((line) =>
        line.includes("$patch: delete of"),
      );
      expect([JSON.stringify(documents), lines.length > 0]).toEqual([
        JSON.stringify(documents),
        answers.includes(true),
      ]);
    }
  });
});
