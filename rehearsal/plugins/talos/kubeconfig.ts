/** talos:cluster/kubeconfig:Kubeconfig */
import { parse } from "yaml";
import type { Props, ResourceStandIn } from "../framework/types";
import { hasUnknown, record, text, unknown } from "../framework/values";
import { expiryOf } from "./certificates";
import { parseDuration } from "./durations";
import type { Limits, NodeClient } from "./node-client";
import { plannedResource, type PlanSides } from "./planned-resource";
import { kubeconfigSchema } from "./schemas";
import { summarised, targetOf, timeoutOf, withEndpoint } from "./targets";

interface KubeconfigFile {
  readonly "current-context": string;
  readonly contexts: readonly { name: string; context: { cluster: string; user: string } }[];
  readonly clusters: readonly {
    name: string;
    cluster: { server: string; "certificate-authority-data": string };
  }[];
  readonly users: readonly {
    name: string;
    user: { "client-certificate-data": string; "client-key-data": string };
  }[];
}

export interface FetchedKubeconfig {
  readonly clusterName: string;
  readonly kubeconfigRaw: string;
  readonly kubernetesClientConfiguration: Props;
}

function named<T extends { readonly name: string }>(items: readonly T[], name: string): T {
  const found = items.find((item) => item.name === name);
  if (found === undefined)
    throw new Error(`failed to parse kubeconfig: it has no entry named ${JSON.stringify(name)}`);
  return found;
}

/** The parts of a kubeconfig that the provider takes out of it. */
function readKubeconfig(kubeconfigRaw: string): FetchedKubeconfig {
  const file = parse(kubeconfigRaw) as KubeconfigFile;
  const { context } = named(file.contexts, file["current-context"]);
  const { cluster } = named(file.clusters, context.cluster);
  const { user } = named(file.users, context.user);
  return {
    clusterName: context.cluster,
    kubeconfigRaw,
    kubernetesClientConfiguration: {
      host: cluster.server,
      caCertificate: cluster["certificate-authority-data"],
      clientCertificate: user["client-certificate-data"],
      clientKey: user["client-key-data"],
    },
  };
}

export async function fetchKubeconfig(
  nodes: NodeClient,
  props: Props,
  limits: Limits,
): Promise<FetchedKubeconfig> {
  const call = nodes.call({ op: "kubeconfig", ...targetOf(props) }, limits);
  const answer = (await summarised("failed to retrieve kubeconfig", call)) as { kubeconfig: string };
  return readKubeconfig(answer.kubeconfig);
}

const renewal = (props: Props): number => {
  const duration = text(props, "certificateRenewalDuration") ?? "720h";
  const parsed = parseDuration(duration);
  if (parsed === undefined)
    throw new Error(
      `failed to parse certificate renewal duration in plan: time: invalid duration ${JSON.stringify(duration)}`,
    );
  return parsed;
};

function needsRenewal(planned: Props, prior: Props, now: Date): boolean {
  const expiry = expiryOf(text(record(prior, "kubernetesClientConfiguration"), "clientCertificate"));
  return expiry !== undefined && expiry.getTime() < now.getTime() + renewal(planned);
}

function modifyPlan(planned: Props, { config, prior }: PlanSides, now: Date): Props {
  if (hasUnknown(config["endpoint"]) || hasUnknown(config["node"])) return planned;
  const addressed = withEndpoint(planned, config);
  if (prior === undefined || !needsRenewal(planned, prior, now)) return addressed;
  const fields = { host: unknown, caCertificate: unknown, clientCertificate: unknown, clientKey: unknown };
  return { ...addressed, kubeconfigRaw: unknown, kubernetesClientConfiguration: fields };
}

const stateOf = ({ kubeconfigRaw, kubernetesClientConfiguration }: FetchedKubeconfig): Props => ({
  kubeconfigRaw,
  kubernetesClientConfiguration,
});

/** Fetched once, and again only when the certificate is about to expire; `now` is for tests of that. */
export const kubeconfigResource = (nodes: NodeClient, now: () => Date = () => new Date()): ResourceStandIn =>
  plannedResource(kubeconfigSchema, {
    modifyPlan: (planned, sides) => modifyPlan(planned, sides, now()),
    create: async (planned, { signal }) => {
      const limits = { timeoutMs: timeoutOf(planned, "create"), signal };
      const fetched = await fetchKubeconfig(nodes, planned, limits);
      return { id: fetched.clusterName, state: stateOf(fetched) };
    },
    update: async (planned, prior, { signal }) => {
      if (!needsRenewal(planned, prior, now())) return {};
      const limits = { timeoutMs: timeoutOf(planned, "update"), signal };
      return stateOf(await fetchKubeconfig(nodes, planned, limits));
    },
  });
