import { X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubernetesPlugin } from "../../../plugins/kubernetes";
import { talosPlugin } from "../../../plugins/talos";
import { messageOf } from "../../../plugins/framework/errors";
import type { Props } from "../../../plugins/framework/types";
import { plainProps, propsFromWire, record, text, type JsonObject } from "../../../plugins/framework/values";
import { readRecordings } from "../../support/recordings";
import { startNodes } from "../../plugins/talos/cluster";
import { findTool } from "../../plugins/talos/tools";

const [talosctl, simnode] = [findTool("talosctl"), findTool("simnode")];
const missing = [talosctl ?? "talosctl", simnode ?? "simnode"].filter((tool) => !tool.includes("/"));
const withTools = missing.length > 0 ? describe.skip : describe;
const why = missing.length > 0 ? ` (skipped: ${missing.join(" and ")} not built)` : "";

const type = {
  secrets: "talos:machine/secrets:Secrets",
  apply: "talos:machine/configurationApply:ConfigurationApply",
  bootstrap: "talos:machine/bootstrap:Bootstrap",
  kubeconfig: "talos:cluster/kubeconfig:Kubeconfig",
};
const [controlPlane, worker] = ["10.5.0.2", "10.5.0.3"] as const;

withTools(`with simulated nodes and the real talosctl${why}`, () => {
  const plugin = talosPlugin({ talosctl: talosctl ?? "", simnode: simnode ?? "" });
  let nodes: Awaited<ReturnType<typeof startNodes>>;
  let clientConfiguration: Props;
  let machineSecrets: Props;

  const create = (resource: string, inputs: Props) =>
    plugin.resources[resource]!.create({
      urn: "urn:pulumi:t::t::x::n",
      name: "n",
      preview: false,
      signal: new AbortController().signal,
      log: () => undefined,
      inputs,
    });
  const target = (node: string) => ({ node, endpoint: nodes.endpoints[node]!, clientConfiguration });
  const generated = async (machineType: string, patch?: object) =>
    text(
      await plugin.functions["talos:machine/getConfiguration:getConfiguration"]!(
        {
          clusterName: "lab",
          clusterEndpoint: `https://${controlPlane}:6443`,
          machineType,
          machineSecrets,
          talosVersion: "v1.13",
          configPatches: patch === undefined ? [] : [JSON.stringify(patch)],
        },
        false,
      ),
      "machineConfiguration",
    )!;
  const apply = async (node: string, config: string, more: Props = {}) =>
    create(type.apply, {
      ...target(node),
      machineConfigurationInput: config,
      applyMode: "no_reboot",
      timeouts: patiently,
      ...more,
    });
  const recordedError = (name: string) =>
    readRecordings("errors", new RegExp(`^${name}$`))[0]!.errors![0]!.replace(
      "rpc error: code = Unknown desc = ",
      "",
    );
  const briefly = { create: "3s", update: "3s", delete: "3s" };
  /** Shorter than jest's patience: what goes wrong says why. */
  const patiently = { create: "40s", update: "40s", delete: "40s" };

  beforeAll(async () => {
    nodes = await startNodes(simnode!, [controlPlane, worker]);
    const { state } = await create(type.secrets, { talosVersion: "v1.13" });
    clientConfiguration = record(plainProps(state), "clientConfiguration");
    machineSecrets = record(plainProps(state), "machineSecrets");
  }, 30_000);
  afterAll(() => nodes.stop());

  test("an endpoint where nothing listens", async () => {
    const [recording] = readRecordings("errors", /^talos-unreachable$/);
    const inputs = {
      ...propsFromWire(recording!.request["properties"] as JsonObject),
      clientConfiguration,
      timeouts: briefly,
    };
    await expect(create(type.apply, inputs)).rejects.toThrow(new Error(recordedError("talos-unreachable")));
  }, 20_000);

  test("a config that Talos refuses", async () => {
    const config = "version: v1alpha1\nmachine:\n  type: controlplane\n";
    await expect(apply(controlPlane, config, { timeouts: briefly })).rejects.toThrow(
      new Error(recordedError("talos-invalid-config")),
    );
  }, 20_000);

  test("a bootstrap in maintenance mode", async () => {
    await expect(
      create(type.bootstrap, { ...target(controlPlane), timeouts: { create: "2s" } }),
    ).rejects.toThrow(new Error(recordedError("talos-bootstrap-in-maintenance")));
  }, 20_000);

  test("configs, bootstrap, kubeconfig", async () => {
    await apply(controlPlane, await generated("controlplane"));
    await apply(worker, await generated("worker"));
    const booted = await create(type.bootstrap, {
      ...target(controlPlane),
      timeouts: { create: "40s" },
    });
    expect(booted.id).toBe("machine_bootstrap");
    const { id, state } = await create(type.kubeconfig, {
      ...target(controlPlane),
      timeouts: { create: "40s", update: "40s" },
    });
    expect(id).toBe("lab");
    const kubernetes = record(plainProps(state), "kubernetesClientConfiguration");
    expect(kubernetes["host"]).toBe(`https://${controlPlane}:6443`);
    const ca = new X509Certificate(Buffer.from(text(kubernetes, "caCertificate")!, "base64"));
    const client = new X509Certificate(Buffer.from(text(kubernetes, "clientCertificate")!, "base64"));
    expect(client.verify(ca.publicKey)).toBe(true);
    const k8s = record(record(machineSecrets, "certs"), "k8s");
    expect(text(kubernetes, "caCertificate")).toBe(text(k8s, "cert"));
  }, 60_000);

  test("a second bootstrap", async () => {
    await expect(
      create(type.bootstrap, { ...target(controlPlane), timeouts: { create: "2s" } }),
    ).rejects.toThrow(/^Error bootstrapping node: rpc error: code = AlreadyExists /);
  }, 20_000);

  test("disks and health", async () => {
    const disks = await plugin.functions["talos:machine/getDisks:getDisks"]!(
      { ...target(controlPlane), timeouts: { read: "30s" } },
      false,
    );
    expect(disks).toMatchObject({ id: "machine_disks", endpoint: nodes.endpoints[controlPlane] });
    expect(Array.isArray(disks["disks"])).toBe(true);
    const health = await plugin.functions["talos:cluster/getHealth:getHealth"]!(
      {
        clientConfiguration,
        endpoints: [nodes.endpoints[controlPlane]!],
        controlPlaneNodes: [controlPlane],
        workerNodes: [worker],
        skipKubernetesChecks: true,
        timeouts: { read: "30s" },
      },
      false,
    );
    expect(health["id"]).toBe("cluster_health");
  }, 60_000);

  test("a fresh API server that takes seconds for its schema fails short time-outs, and then is quick", async () => {
    const before = { ...process.env };
    const temporary = mkdtempSync(join(tmpdir(), "kubernetes-plugin-"));
    process.env["TMPDIR"] = temporary;
    nodes.turn({ openapiDelay: "1500ms", openapiSizeMB: 4 });
    const { state } = await create(type.kubeconfig, {
      ...target(controlPlane),
      timeouts: { create: "40s", update: "40s" },
    });
    const kubeconfig = text(plainProps(state), "kubeconfigRaw")!.replace(
      `https://${controlPlane}:6443`,
      nodes.kubernetes[controlPlane]!,
    );
    const kubernetes = kubernetesPlugin();
    const record = async (seconds: string) => {
      process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = seconds;
      await kubernetes.configure({ kubeconfig });
      return kubernetes.resources["kubernetes:core/v1:ConfigMap"]!.create({
        urn: "urn:pulumi:t::t::kubernetes:core/v1:ConfigMap::n",
        name: "n",
        preview: false,
        signal: new AbortController().signal,
        log: () => undefined,
        inputs: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "n", namespace: "default" } },
      });
    };
    try {
      await expect(record("1")).rejects.toThrow(/Client\.Timeout exceeded while awaiting headers/);
      await expect(record("1")).rejects.toThrow(
        /unable to load schema information from the API server: Get /,
      );
      expect((await record("30")).id).toBe("default/n");
      const began = Date.now();
      await expect(record("5")).rejects.toThrow('configmaps "n" already exists');
      expect(Date.now() - began).toBeLessThan(1500);
    } finally {
      process.env = before;
      nodes.turn({});
      rmSync(temporary, { recursive: true });
    }
  }, 60_000);

  test("a change that needs a reboot is refused at once where none is allowed, others are taken", async () => {
    await apply(
      controlPlane,
      await generated("controlplane", { machine: { sysctls: { "net.core.somaxconn": "1" } } }),
    );
    const proxy = "http://user:password@proxy:3128";
    const rebooting = await generated("controlplane", { machine: { env: { https_proxy: proxy } } });
    const refused = apply(controlPlane, rebooting);
    await expect(refused).rejects.toThrow(
      /^Error applying configuration: rpc error: code = InvalidArgument .* can't be applied in immediate mode\ndiff:\n/,
    );
    // The node's diff comes as it is: with three lines around the change, and nothing masked.
    const words = await refused.then(String, messageOf);
    const diff = words.split("\n@@ ")[1]!.split("\n").slice(1);
    expect(diff).toEqual(expect.arrayContaining(["+    env:", `+        https_proxy: ${proxy}`]));
    expect(diff.filter((line) => line.startsWith(" "))).toHaveLength(6);
    const { state } = await apply(controlPlane, rebooting, { applyMode: "staged_if_needing_reboot" });
    expect(plainProps(state)["resolvedApplyMode"]).toBe("staged");
  }, 60_000);

  test("a worker that is addressed through itself by another name", async () => {
    const config = await generated("worker");
    await expect(
      create(type.apply, {
        ...target(worker),
        node: "10.5.0.9",
        machineConfigurationInput: config,
        timeouts: briefly,
      }),
    ).rejects.toThrow(
      /^Error applying configuration: rpc error: code = PermissionDenied .*no request forwarding/,
    );
  }, 20_000);
});
