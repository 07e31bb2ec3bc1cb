import * as pulumi from "@pulumi/pulumi";
import * as talos from "@pulumiverse/talos";
import { record } from "./talos-recorder";

const client = { caCertificate: "ca", clientCertificate: "cert", clientKey: "key" };
const machineSecrets = {
  certs: {
    etcd: { cert: "c", key: "k" },
    k8s: { cert: "c", key: "k" },
    k8sAggregator: { cert: "c", key: "k" },
    k8sServiceaccount: { key: "k" },
    os: { cert: "c", key: "k" },
  },
  cluster: { id: "i", secret: "s" },
  secrets: { bootstrapToken: "b", secretboxEncryptionSecret: "e" },
  trustdinfo: { token: "t" },
};
const cluster = { clusterName: "c", clusterEndpoint: "https://10.5.0.2:6443", machineType: "worker" };

const isSecretMarker = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "4dabf18193072939515e22adb298388d" in value;

describe("what is secret", () => {
  test("config and write-only inputs are sent as secrets, the node is not", async () => {
    const { sent, drain } = await record();
    new talos.machine.ConfigurationApply("a", {
      node: "10.5.0.2",
      clientConfiguration: client,
      clientConfigurationWo: client,
      machineConfigurationInput: "version: v1alpha1",
      machineConfigurationInputWo: "version: v1alpha1",
    });
    await drain();
    const marked = Object.entries(sent[0]!.properties).filter(([, value]) => isSecretMarker(value));
    expect(marked.map(([name]) => name).sort()).toEqual([
      "clientConfigurationWo",
      "machineConfigurationInput",
      "machineConfigurationInputWo",
    ]);
  });

  test("a generated config is secret when the secrets are, and only then", async () => {
    const { drain } = await record();
    const ofSecret = talos.machine.getConfigurationOutput({
      ...cluster,
      machineSecrets: pulumi.secret(machineSecrets),
    });
    const ofPlain = talos.machine.getConfigurationOutput({ ...cluster, machineSecrets });
    const results = await Promise.all(
      [ofSecret.machineConfiguration, ofPlain.machineConfiguration].map((output) => pulumi.isSecret(output)),
    );
    await drain();
    expect(results).toEqual([true, false]);
  });

  test("the outputs of Secrets go into everything that takes them", async () => {
    const { sent, drain } = await record();
    const secrets = new talos.machine.Secrets("s", { talosVersion: "v1.13" });
    const { machineConfiguration } = talos.machine.getConfigurationOutput({
      ...cluster,
      machineSecrets: secrets.machineSecrets,
      configPatches: ["{}"],
    });
    const { clientConfiguration } = secrets;
    const apply = new talos.machine.ConfigurationApply("a", {
      node: "10.5.0.2",
      clientConfiguration,
      machineConfigurationInput: machineConfiguration,
      timeouts: { create: "2m", update: "2m", delete: "2m" },
    });
    new talos.machine.Bootstrap("b", { node: apply.node, clientConfiguration });
    const kubeconfig = new talos.cluster.Kubeconfig("k", { node: apply.node, clientConfiguration });
    expect(pulumi.Output.isInstance(kubeconfig.kubernetesClientConfiguration.host)).toBe(true);
    await drain();
    expect(sent.map(({ token }) => token.split(":").at(-1)).sort()).toEqual([
      "Bootstrap",
      "ConfigurationApply",
      "Kubeconfig",
      "Secrets",
      "getConfiguration",
    ]);
  });

  test("a talosconfig of a secret client configuration is secret", async () => {
    const { drain } = await record();
    const config = talos.client.getConfigurationOutput({
      clusterName: "c",
      clientConfiguration: pulumi.secret(client),
    });
    expect(await pulumi.isSecret(config.talosConfig)).toBe(true);
    await drain();
  });
});
