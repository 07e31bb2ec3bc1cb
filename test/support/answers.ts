/** What the real plugins would add to the inputs of each resource that this program uses. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MockAnswers } from "./mocks";

const certificate = readFileSync(join(__dirname, "../components/fixtures/one-year.crt")).toString("base64");

/** Texts that must never show up in clear: tests look for them. */
export const canaries = {
  machineSecret: "canary-machine-secret",
  clientKey: "canary-client-key",
  kubeconfig: "canary-kubeconfig-key",
} as const;

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const secret = (value: unknown) => ({ ...SECRET, value });

const rawKubeconfig = (cluster: string) =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: cluster, cluster: { server: "https://10.5.0.2:6443", "certificate-authority-data": "Q0E=" } },
    ],
    users: [
      {
        name: "admin",
        user: { "client-certificate-data": certificate, "client-key-data": canaries.kubeconfig },
      },
    ],
    contexts: [{ name: `admin@${cluster}`, context: { cluster, user: "admin" } }],
    "current-context": `admin@${cluster}`,
  });

const nothing = () => ({});
let addresses = 0;
const nextAddress = () => `198.51.100.${(addresses += 1)}`;

export const answers: MockAnswers = {
  resources: {
    "pulumi:providers:docker": nothing,
    "pulumi:providers:hcloud": nothing,
    "pulumi:providers:kubernetes": nothing,
    "command:local:Command": () => ({ stdout: "", stderr: "" }),
    "talos:machine/secrets:Secrets": () => ({
      machineSecrets: secret({ trustdinfo: { token: canaries.machineSecret } }),
      clientConfiguration: secret({
        caCertificate: certificate,
        clientCertificate: certificate,
        clientKey: canaries.clientKey,
      }),
    }),
    "talos:machine/configurationApply:ConfigurationApply": nothing,
    "talos:cluster/kubeconfig:Kubeconfig": (_inputs, name) => ({
      kubeconfigRaw: secret(rawKubeconfig(name.replace(/-kubeconfig$/, ""))),
      kubernetesClientConfiguration: secret({
        clientCertificate: certificate,
        clientKey: canaries.kubeconfig,
      }),
    }),
    "docker:index/network:Network": nothing,
    "docker:index/volume:Volume": nothing,
    "docker:index/remoteImage:RemoteImage": nothing,
    "docker:index/container:Container": nothing,
    "hcloud:index/network:Network": nothing,
    "hcloud:index/networkSubnet:NetworkSubnet": nothing,
    "hcloud:index/firewall:Firewall": nothing,
    "hcloud:index/placementGroup:PlacementGroup": nothing,
    "hcloud:index/primaryIp:PrimaryIp": () => ({ ipAddress: nextAddress() }),
    "hcloud:index/server:Server": () => ({ ipv4Address: nextAddress() }),
    "hcloud:index/loadBalancer:LoadBalancer": () => ({ ipv4: nextAddress() }),
    "hcloud:index/loadBalancerNetwork:LoadBalancerNetwork": nothing,
    "hcloud:index/loadBalancerService:LoadBalancerService": nothing,
    "hcloud:index/loadBalancerTarget:LoadBalancerTarget": nothing,
    "kubernetes:core/v1:ConfigMap": nothing,
  },
  functions: {
    "pulumi:pulumi:readStackResourceOutputs": () => ({ outputs: {} }),
    "talos:machine/getConfiguration:getConfiguration": (inputs) => ({
      ...inputs,
      machineConfiguration: `# ${canaries.machineSecret}\n${JSON.stringify(inputs["configPatches"])}`,
    }),
    "talos:client/getConfiguration:getConfiguration": (inputs) => ({
      ...inputs,
      talosConfig: `# ${canaries.clientKey}\n${JSON.stringify({ endpoints: inputs["endpoints"], nodes: inputs["nodes"] })}`,
    }),
  },
};
