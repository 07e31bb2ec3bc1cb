import { inspectConfig } from "../../config/resolve";
import type { DockerClusterPlan } from "../../config/types";
import { changed, faultLines, resolve } from "./fixtures";
import type { Raw } from "./fixtures";

const lab = (patches: Raw, keys: Raw = {}) =>
  resolve(changed("lab", { patches, ...keys })) as DockerClusterPlan;
const patchesOf = (plan: DockerClusterPlan, name: string) =>
  plan.nodes.find((node) => node.name === name)?.patches ?? [];
const sysctl = (value: string) => ({ machine: { sysctls: { "vm.swappiness": value } } });

test("a node's patches come in the order all, role, pool, node", () => {
  const plan = lab(
    {
      nodes: { "lab-worker-1": [sysctl("5")], "lab-controlplane-1": [sysctl("6")] },
      workers: [sysctl("2"), sysctl("3")],
      controlPlanes: [sysctl("7")],
      all: [sysctl("1")],
    },
    { workers: [{ name: "worker", count: 1, patches: [sysctl("4")] }] },
  );

  expect(patchesOf(plan, "lab-worker-1").map(({ source }) => source)).toEqual([
    "patches.all[0]",
    "patches.workers[0]",
    "patches.workers[1]",
    "workers[0].patches[0]",
    "patches.nodes.lab-worker-1[0]",
  ]);
  expect(patchesOf(plan, "lab-controlplane-1").map(({ source }) => source)).toEqual([
    "patches.all[0]",
    "patches.controlPlanes[0]",
    "patches.nodes.lab-controlplane-1[0]",
  ]);
});

describe("patches that people use", () => {
  test("numbers among a kubelet's arguments reach Talos as text, the subnets once", () => {
    const [patch] = patchesOf(lab({ workers: ["kubelet-numeric-args.yaml"] }), "lab-worker-1");

    expect(patch?.source).toBe("patches.workers[0] (kubelet-numeric-args.yaml)");
    expect(patch?.documents).toEqual([
      {
        machine: {
          kubelet: {
            extraArgs: { "max-pods": "500" },
            nodeIP: { validSubnets: ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"] },
          },
        },
      },
    ]);
  });

  test("an extra admission plugin is taken, etcd's subnets are not", () => {
    expect(
      faultLines(changed("lab", { patches: { controlPlanes: ["control-plane-admission.yaml"] } })),
    ).toEqual([
      "patches.controlPlanes[0] (control-plane-admission.yaml): cluster.etcd.advertisedSubnets: is set by this program: " +
        "etcd is bound to the node network, and lists of subnets would be joined; remove it",
    ]);
  });

  test("bonds, VLANs and volumes: only the host name is refused", () => {
    const raw = changed("lab", { patches: { nodes: { "lab-worker-1": ["bond-vlans-volumes.yaml"] } } });

    expect(faultLines(raw)).toHaveLength(1);
    expect(faultLines(raw)[0]).toContain("(bond-vlans-volumes.yaml): machine.network.hostname: ");
  });

  test("a worker with an external cloud provider: each key without a place is named", () => {
    const raw = changed("fleet", { patches: { workers: ["hetzner-worker-external-ccm.yaml"] } });

    expect(faultLines(raw).map((line) => line.split(": ")[1])).toEqual([
      "cluster.externalCloudProvider",
      "machine.kubelet.extraArgs.cloud-provider",
      "cluster.externalCloudProvider.manifests",
      "cluster.network.cni",
    ]);
  });

  test("mounts are taken once, and once more in another file only with a word", () => {
    expect(faultLines(changed("lab", { patches: { workers: ["longhorn-mounts.yaml"] } }))).toEqual([]);
    expect(
      faultLines(
        changed("lab", {
          patches: { workers: ["longhorn-mounts.yaml", sysctl("1"), "longhorn-mounts.yaml"] },
        }),
      ),
    ).toHaveLength(1);
    expect(faultLines(changed("lab", { patches: { all: [sysctl("1")], workers: [sysctl("1")] } }))).toEqual(
      [],
    );
  });

  test("a change that needs a reboot is a good patch", () => {
    expect(faultLines(changed("lab", { patches: { all: ["needs-reboot.patch.yaml"] } }))).toEqual([]);
  });
});

test("patches.all may hold what only control planes read", () => {
  const open = {
    cluster: { allowSchedulingOnControlPlanes: true, apiServer: { certSANs: ["api.example.net"] } },
  };

  expect(faultLines(changed("lab", { patches: { all: [open] } }))).toEqual([]);
});

test("several documents of one file stay together", () => {
  const volume = {
    apiVersion: "v1alpha1",
    kind: "VolumeConfig",
    name: "EPHEMERAL",
    provisioning: { maxSize: "24Gi" },
  };
  const text = `---\n${JSON.stringify(sysctl("1"))}\n---\n---\n${JSON.stringify(volume)}\n`;
  const plan = resolve(changed("lab", { patches: { all: ["two.yaml"] } }), {
    readText: (file) => (file === "two.yaml" ? text : "customization: {}\n"),
  });

  expect(plan.nodes[0]?.patches[0]?.documents).toEqual([sysctl("1"), volume]);
});

test("a volume with a misspelt key is found by the kind's own keys", () => {
  const volume = {
    apiVersion: "v1alpha1",
    kind: "UserVolumeConfig",
    name: "x",
    provisioning: { minsize: "1Gi" },
  };

  expect(faultLines(changed("lab", { patches: { all: [volume] } }))).toEqual([
    "patches.all[0]: provisioning.minsize: is not a key of Talos' machine config; did you mean minSize?",
  ]);
});

test.each(["", "---\n", "# machine:\n#   env: {}\n", "machine:\n  # env: {}\n"])(
  "a patch file of %j is nothing to merge, and a note",
  (text) => {
    const readText = (file: string) => (file === "x.yaml" ? text : "customization: {}");
    const { faults, notes } = inspectConfig(changed("lab", { patches: { all: ["x.yaml"] } }), {
      ...{ stack: "lab", phase: "preview", readText },
    });

    expect(faults).toEqual([]);
    expect(notes).toEqual([
      {
        key: "patches.all[0]",
        value: "x.yaml",
        note: "holds no keys (it is empty, or all of it is a comment): nothing is merged",
      },
    ]);
  },
);

test("eight times as many patches, half of them bad, take about eight times as long", () => {
  const secondsFor = (count: number): number => {
    const patches = Array.from({ length: count }, (_, index) => ({
      machine: { sysctls: { [`a.b${index}`]: "1" }, ...(index % 2 === 0 ? { [`x${index}`]: 1 } : {}) },
      cluster: { extraManifests: [`https://example.net/${index}`] },
    }));
    const before = process.cpuUsage();
    expect(faultLines(changed("lab", { patches: { all: patches } }))).toHaveLength(count / 2);
    return process.cpuUsage(before).user / 1e6;
  };
  secondsFor(500);
  const few = Math.max(0.05, secondsFor(500));

  expect(secondsFor(4000) / few).toBeLessThan(24);
});

test("another CNI is one line, and the same on both platforms", () => {
  const patches = { all: [{ cluster: { network: { cni: { name: "none" } } } }] };

  expect(faultLines(changed("lab", { patches }))).toEqual([]);
  expect(faultLines(changed("fleet", { patches }))).toEqual([]);
});

test("Talos' firewall may be left open, which is how it is", () => {
  const open = { apiVersion: "v1alpha1", kind: "NetworkDefaultActionConfig", ingress: "accept" };

  expect(faultLines(changed("fleet", { patches: { all: [open] } }))).toEqual([]);
});

test("where there is no worker, what only control planes take may stand under all", () => {
  const etcd = { cluster: { etcd: { extraArgs: { "election-timeout": "5000" } } } };

  expect(faultLines(changed("lab", { workers: null, patches: { all: [etcd] } }))).toEqual([]);
});

test("what a pool's labels and an earlier patch brought may be deleted, and only once", () => {
  const gone = { machine: { nodeLabels: { tier: { $patch: "delete" } } } };
  const workers = [{ name: "worker", count: 1, labels: { tier: "batch" } }];

  expect(faultLines(changed("lab", { workers, patches: { workers: [gone] } }))).toEqual([]);
  expect(faultLines(changed("lab", { workers, patches: { workers: [gone, gone] } }))).toHaveLength(1);
  expect(faultLines(changed("lab", { patches: { workers: [gone] } }))).toHaveLength(1);
});
