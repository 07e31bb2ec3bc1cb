/** Whatever key an address with a token in it lands under: no fault and no note tells the token. */
import { formatFault, formatNote, shown } from "../../base/faults";
import { inspectConfig } from "../../config/resolve";
import { changed } from "./fixtures";

const addresses = [
  "tcp://engine.example.net:2375?token=SESAME",
  "tcp://x y?key=SESAME",
  "https://user:SESAME@x.example.net/a b",
  "user:SESAME@x.example.net",
  "@https://x?SESAME",
  "x?key=SESAME",
  "jointoken=SESAME",
];

const places: Readonly<Record<string, (text: string) => Record<string, unknown>>> = {
  "an engine": (text) => ({ docker: { host: text } }),
  "a context": (text) => ({ docker: { context: text } }),
  "an image": (text) => ({ docker: { image: text } }),
  "a range": (text) => ({ docker: { subnet: text }, podSubnet: text }),
  "the factory": (text) => ({ factoryUrl: text }),
  "a name": (text) => ({ clusterName: text, workers: [{ name: text, count: 1 }] }),
  "a label": (text) => ({ workers: [{ name: "w", count: 1, labels: { [text]: "x", b: text } }] }),
  "a taint": (text) => ({
    workers: [{ name: "w", count: 1, taints: [{ key: text, value: text, effect: text }] }],
  }),
  "a version": (text) => ({ talosVersion: text, kubernetesVersion: text, talosContract: text }),
  "a platform": (text) => ({ platform: text }),
  "an unknown key": (text) => ({ [text]: text, docker: { [text]: text } }),
  "the schematic's file": (text) => ({ schematic: text }),
  "a schematic": (text) => ({ schematic: { customization: { [text]: text, extraKernelArgs: text } } }),
  "a schematic's lists": (text) => ({
    schematic: {
      overlay: { name: text, image: text },
      customization: {
        systemExtensions: { officialExtensions: [text, text] },
        secureboot: { enrollKeys: text },
      },
    },
  }),
  "a patch's file": (text) => ({ patches: { all: [text] } }),
  "a node": (text) => ({ patches: { nodes: { [text]: [{ machine: {} }] } } }),
  "a kind": (text) => ({ patches: { all: [{ apiVersion: text, kind: text }] } }),
  "a key in a patch": (text) => ({
    patches: { all: [{ machine: { [text]: 1, registries: { mirrors: { [text]: { [text]: 1 } } } } }] },
  }),
  "a deletion": (text) => ({
    patches: { all: [{ machine: { sysctls: { [text]: { $patch: "delete" } } } }] },
  }),
  "a deletion of a document": (text) => ({
    patches: { all: [{ apiVersion: "v1alpha1", kind: "LinkConfig", name: text, mtu: { $patch: "delete" } }] },
  }),
  "an interface": (text) => ({
    patches: { all: [{ machine: { network: { interfaces: [{ interface: text, cidr: text }] } } }] },
  }),
  "labels and taints in a patch": (text) => ({
    patches: { all: [{ machine: { nodeLabels: { [text]: text }, nodeTaints: { [text]: text } } }] },
  }),
  "a CNI": (text) => ({ patches: { all: [{ cluster: { network: { cni: { name: text } } } }] } }),
  "a JSON patch": (text) => ({ patches: { all: [[{ op: "add", path: `/machine/${text}`, value: text }]] } }),
};

test.each(
  Object.entries(places).flatMap(([where, keys]) => addresses.map((text) => ({ where, text, keys }))),
)("$text as $where", ({ text, keys }) => {
  const readText = (file: string): string => {
    throw Object.assign(new Error(file), { code: "ENOENT" });
  };
  const { faults, laterFaults, notes } = inspectConfig(changed("lab", keys(text)), {
    stack: "lab",
    readText,
  });
  const told = [...faults, ...laterFaults];

  expect([...told.map(formatFault), ...notes.map(formatNote)].join("\n")).not.toContain("SESAME");
  expect(JSON.stringify([...told.map(shown), ...notes.map(shown)])).not.toContain("SESAME");
});
