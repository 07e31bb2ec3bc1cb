import { join } from "node:path";
import * as talos from "@pulumiverse/talos";
import { record, type Sent } from "./talos-recorder";
import { readInterfaces, readTypes } from "./talos-source";

const root = join(__dirname, "../../sdks/talos");
const words = (text: string) => text.split(" ").filter((word) => word !== "");

/** Inputs with ? are optional; then the outputs beyond the inputs. From the provider's schema at v0.8.1. */
const resources = {
  "talos:machine/secrets:Secrets": {
    create: talos.machine.Secrets,
    file: "machine/secrets.ts SecretsArgs",
    inputs: words("talosVersion?"),
    computed: words("clientConfiguration machineSecrets"),
    secretOutputs: [],
  },
  "talos:machine/configurationApply:ConfigurationApply": {
    create: talos.machine.ConfigurationApply,
    file: "machine/configuration-apply.ts ConfigurationApplyArgs",
    inputs: words(
      "applyMode? clientConfiguration? clientConfigurationWo? configPatches? endpoint? machineConfigurationInput? machineConfigurationInputWo? node onDestroy? timeouts?",
    ),
    computed: words("machineConfiguration machineConfigurationHash resolvedApplyMode"),
    secretOutputs: words(
      "clientConfigurationWo machineConfiguration machineConfigurationInput machineConfigurationInputWo",
    ),
  },
  "talos:machine/bootstrap:Bootstrap": {
    create: talos.machine.Bootstrap,
    file: "machine/bootstrap.ts BootstrapArgs",
    inputs: words("clientConfiguration? clientConfigurationWo? endpoint? node timeouts?"),
    computed: [],
    secretOutputs: words("clientConfigurationWo"),
  },
  "talos:cluster/kubeconfig:Kubeconfig": {
    create: talos.cluster.Kubeconfig,
    file: "cluster/kubeconfig.ts KubeconfigArgs",
    inputs: words("certificateRenewalDuration? clientConfiguration endpoint? node timeouts?"),
    computed: words("kubeconfigRaw kubernetesClientConfiguration"),
    secretOutputs: words("kubeconfigRaw"),
  },
  "talos:imageFactory/schematic:Schematic": {
    create: talos.imagefactory.Schematic,
    file: "imagefactory/schematic.ts SchematicArgs",
    inputs: words("schematic?"),
    computed: [],
    secretOutputs: [],
  },
};

const functions = {
  "talos:machine/getConfiguration:getConfiguration": {
    plain: talos.machine.getConfiguration,
    output: talos.machine.getConfigurationOutput,
    file: "machine/get-configuration.ts GetConfiguration",
    inputs: words(
      "clusterEndpoint clusterName configPatches? docs? examples? kubernetesVersion? machineSecrets machineType talosVersion?",
    ),
    result: words(
      "clusterEndpoint clusterName configPatches? docs? examples? id kubernetesVersion? machineConfiguration machineSecrets machineType talosVersion?",
    ),
  },
  "talos:machine/getDisks:getDisks": {
    plain: talos.machine.getDisks,
    output: talos.machine.getDisksOutput,
    file: "machine/get-disks.ts GetDisks",
    inputs: words("clientConfiguration endpoint? node selector? timeouts?"),
    result: words("clientConfiguration disks endpoint id node selector? timeouts?"),
  },
  "talos:client/getConfiguration:getConfiguration": {
    plain: talos.client.getConfiguration,
    output: talos.client.getConfigurationOutput,
    file: "client/get-configuration.ts GetConfiguration",
    inputs: words("clientConfiguration clusterName endpoints? nodes?"),
    result: words("clientConfiguration clusterName endpoints? id nodes? talosConfig"),
  },
  "talos:cluster/getHealth:getHealth": {
    plain: talos.cluster.getHealth,
    output: talos.cluster.getHealthOutput,
    file: "cluster/get-health.ts GetHealth",
    inputs: words(
      "clientConfiguration controlPlaneNodes endpoints skipKubernetesChecks? timeouts? workerNodes?",
    ),
    result: words(
      "clientConfiguration controlPlaneNodes endpoints id skipKubernetesChecks? timeouts? workerNodes?",
    ),
  },
  "talos:cluster/getKubeconfig:getKubeconfig": {
    plain: talos.cluster.getKubeconfig,
    output: talos.cluster.getKubeconfigOutput,
    file: "cluster/get-kubeconfig.ts GetKubeconfig",
    inputs: words("clientConfiguration endpoint? node timeouts? wait?"),
    result: words(
      "clientConfiguration endpoint id kubeconfigRaw kubernetesClientConfiguration node timeouts? wait?",
    ),
  },
  "talos:imageFactory/getVersions:getVersions": {
    plain: talos.imagefactory.getVersions,
    output: talos.imagefactory.getVersionsOutput,
    file: "imagefactory/get-versions.ts GetVersions",
    inputs: words("filters?"),
    result: words("filters? id talosVersions"),
  },
  "talos:imageFactory/getExtensionsVersions:getExtensionsVersions": {
    plain: talos.imagefactory.getExtensionsVersions,
    output: talos.imagefactory.getExtensionsVersionsOutput,
    file: "imagefactory/get-extensions-versions.ts GetExtensionsVersions",
    inputs: words("exactFilters? filters? talosVersion"),
    result: words("exactFilters? extensionsInfos filters? id talosVersion"),
  },
  "talos:imageFactory/getOverlaysVersions:getOverlaysVersions": {
    plain: talos.imagefactory.getOverlaysVersions,
    output: talos.imagefactory.getOverlaysVersionsOutput,
    file: "imagefactory/get-overlays-versions.ts GetOverlaysVersions",
    inputs: words("filters? talosVersion"),
    result: words("filters? id overlaysInfos talosVersion"),
  },
  "talos:imageFactory/getUrls:getUrls": {
    plain: talos.imagefactory.getUrls,
    output: talos.imagefactory.getUrlsOutput,
    file: "imagefactory/get-urls.ts GetUrls",
    inputs: words("architecture? platform? sbc? schematicId talosVersion"),
    result: words("architecture id platform? sbc? schematicId talosVersion urls"),
  },
};

const strings = (names: string) => Object.fromEntries(words(names).map((name) => [name, "string"]));
const certificate = strings("cert key");
const types = {
  ClientConfiguration: strings("caCertificate clientCertificate clientKey"),
  KubernetesClientConfiguration: strings("caCertificate clientCertificate clientKey host"),
  Certificate: certificate,
  Key: strings("key"),
  Certificates: {
    etcd: "Certificate",
    k8s: "Certificate",
    k8sAggregator: "Certificate",
    k8sServiceaccount: "Key",
    os: "Certificate",
  },
  Cluster: strings("id secret"),
  KubernetesSecrets: strings("aescbcEncryptionSecret bootstrapToken secretboxEncryptionSecret"),
  TrustdInfo: strings("token"),
  MachineSecrets: {
    certs: "Certificates",
    cluster: "Cluster",
    secrets: "KubernetesSecrets",
    trustdinfo: "TrustdInfo",
  },
  Timeout: strings("create delete update"),
  CreateTimeouts: strings("create"),
  CreateUpdateTimeouts: strings("create update"),
  ReadTimeouts: strings("read"),
  OnDestroy: { graceful: "boolean", reboot: "boolean", reset: "boolean" },
  Disk: {
    ...strings("busPath devPath modalias model prettySize serial subSystem transport uuid wwid"),
    ...{ cdrom: "boolean", readonly: "boolean", rotational: "boolean" },
    ...{ ioSize: "number", sectorSize: "number", size: "number" },
    ...{ secondaryDisks: "string[]", symlinks: "string[]" },
  },
  Urls: strings(
    "diskImage diskImageSecureboot initramfs installer installerSecureboot iso isoSecureboot kernel kernelCommandLine pxe uki",
  ),
  ExtensionInfo: strings("author description digest name ref"),
  OverlayInfo: strings("digest image name ref"),
  NamesFilter: { names: "string[]" },
  NameFilter: { name: "string" },
  StableFilter: { stableVersionsOnly: "boolean" },
};

const bare = (names: readonly string[]) => names.map((name) => name.replace("?", ""));
const filled = (names: readonly string[]) => Object.fromEntries(bare(names).map((name) => [name, name]));
const common = { version: "0.8.1", pluginDownloadURL: "github://api.github.com/pulumiverse" };

const sentBy = async (act: () => unknown): Promise<Sent> => {
  const { sent, drain } = await record();
  await act();
  await drain();
  return sent.find((request) => request.token.startsWith("talos:"))!;
};

describe("the SDK's surface is the schema's", () => {
  const interfaces = readInterfaces(root);

  test.each(Object.entries(resources))("%s sends every input", async (token, entry) => {
    const Class = entry.create as unknown as new (name: string, args: object) => object;
    let created: object = {};
    const sent = await sentBy(() => (created = new Class("x", filled(entry.inputs))));
    expect(sent).toMatchObject({ ...common, kind: "resource", token });
    expect(Object.keys(sent.properties).sort()).toEqual(bare(entry.inputs).sort());
    expect([...sent.additionalSecretOutputs].sort()).toEqual(entry.secretOutputs);
    const outputs = Object.keys(created).filter((name) => !name.startsWith("__"));
    expect(outputs.sort()).toEqual([...bare(entry.inputs), ...entry.computed, "id", "urn"].sort());
  });

  test.each(Object.entries(resources))("%s asks for what the schema requires", async (_, entry) => {
    const Class = entry.create as unknown as new (name: string, args: object) => object;
    await record();
    for (const required of entry.inputs.filter((name) => !name.endsWith("?"))) {
      const others = filled(entry.inputs.filter((name) => name !== required));
      expect(() => new Class("x", others)).toThrow(`Missing required property '${required}'`);
    }
    expect(interfaces.get(entry.file)).toEqual(entry.inputs);
  });

  test.each(Object.entries(functions))("%s sends every argument, in both forms", async (token, entry) => {
    for (const call of [entry.plain, entry.output] as unknown as ((args: object) => unknown)[]) {
      const sent = await sentBy(() => call(filled(entry.inputs)));
      expect(sent).toMatchObject({ ...common, kind: "function", token });
      expect(Object.keys(sent.properties).sort()).toEqual(bare(entry.inputs).sort());
    }
    expect(interfaces.get(`${entry.file}Args`)).toEqual(entry.inputs);
    expect(interfaces.get(`${entry.file}Result`)).toEqual(entry.result);
  });

  test("the object types", () => {
    expect(readTypes(join(root, "types/shapes.ts"))).toEqual(types);
  });

  test("the exports", () => {
    const names = Object.keys(talos).sort();
    expect(names).toEqual(["Provider", "client", "cluster", "config", "imagefactory", "machine"]);
  });

  test("an explicit provider", async () => {
    const { sent, drain } = await record();
    const provider = new talos.Provider("p", { imageFactoryUrl: "http://127.0.0.1:1" });
    await drain();
    expect(sent[0]).toMatchObject({ ...common, token: "pulumi:providers:talos" });
    expect(sent[0]!.properties).toEqual({ imageFactoryUrl: "http://127.0.0.1:1" });
    expect(talos.Provider.isInstance(provider)).toBe(true);
    expect(talos.machine.Secrets.isInstance(provider)).toBe(false);
  });
});
