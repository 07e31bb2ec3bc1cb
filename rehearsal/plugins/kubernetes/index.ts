/** A stand-in for the kubernetes plugin: Provider, ConfigMap and Secret, over HTTPS with the kubeconfig's certificates. */
import { messageOf } from "../framework/errors";
import type { DiffRequest, DiffResponse, PluginStandIn, Props } from "../framework/types";
import { flag, hasUnknown, plainProps, same, text } from "../framework/values";
import { kubernetesApi, type KubernetesApi } from "./api";
import { clientLimits } from "./client-timeout";
import { parseKubeconfig, type Cluster } from "./kubeconfig";
import { writeKubeconfigFile } from "./kubeconfig-file";
import { objectResource } from "./objects";

const unreachablePrefix = "configured Kubernetes cluster is unreachable: ";

/** Another cluster replaces everything in it; a fixed `clusterIdentifier` says that it is the same one. */
function isOtherCluster(olds: Props, news: Props): boolean {
  const [before, after] = [text(olds, "clusterIdentifier"), text(news, "clusterIdentifier")];
  if (before !== undefined && after !== undefined) return before !== after;
  if (hasUnknown(news["kubeconfig"])) return true;
  try {
    const [left, right] = [olds, news].map((props) => parseKubeconfig(text(props, "kubeconfig") ?? ""));
    return left?.server !== right?.server || left?.ca !== right?.ca;
  } catch {
    return true;
  }
}

async function diffConfig(request: DiffRequest): Promise<DiffResponse> {
  const [olds, news] = [plainProps(request.olds), plainProps(request.news)];
  const diffs = Object.keys({ ...olds, ...news })
    .filter((key) => !same(olds[key], news[key]))
    .sort();
  const cause = ["clusterIdentifier", "kubeconfig"].find((key) => diffs.includes(key));
  const replaces = cause !== undefined && isOtherCluster(olds, news) ? [cause] : [];
  const changes = diffs.length > 0 ? "DIFF_SOME" : "DIFF_NONE";
  return { changes, diffs, replaces, detailedDiff: {}, deleteBeforeReplace: false, hasDetailedDiff: false };
}

interface State {
  readonly api?: KubernetesApi;
  readonly reason?: string;
  /** `skipUpdateUnreachable`: an unreachable cluster is taken to be as it was last seen. */
  readonly skip?: boolean;
}

/** Once for each Configure, as the plugin does: a cluster that is not up by then stays unreachable for the run. */
async function connect(args: Props): Promise<State> {
  if (hasUnknown(args["kubeconfig"])) return { reason: "the kubeconfig is not known yet" };
  // The SDK sends what is not text as JSON.
  const skip = flag(args, "skipUpdateUnreachable") ?? text(args, "skipUpdateUnreachable") === "true";
  const kubeconfig = text(args, "kubeconfig") ?? "";
  const failed = "failed to parse kubeconfig data in `kubernetes:config:kubeconfig`- ";
  let cluster: Cluster;
  try {
    cluster = parseKubeconfig(kubeconfig, text(args, "context"));
  } catch (error) {
    return { reason: `${failed}${messageOf(error)}`, skip };
  }
  // What follows fails Configure itself, in the plugin too.
  writeKubeconfigFile(kubeconfig);
  const api = kubernetesApi(cluster, clientLimits());
  try {
    await api.loadSchema();
    return { api };
  } catch (error) {
    return { reason: `unable to load schema information from the API server: ${messageOf(error)}`, skip };
  }
}

export function kubernetesPlugin(): PluginStandIn {
  let state: State = { reason: "the kubernetes plugin was not configured" };
  const unreachable = () =>
    state.api === undefined ? `${unreachablePrefix}${state.reason ?? ""}` : undefined;
  const reach = (): KubernetesApi => {
    if (state.api === undefined) throw new Error(`${unreachablePrefix}${state.reason ?? ""}`);
    return state.api;
  };
  const skips = () => state.api === undefined && state.skip === true;
  const connection = { reach, unreachable, skips };
  return {
    name: "kubernetes",
    version: "4.34.2",
    capabilities: {
      acceptSecrets: true,
      supportsPreview: true,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
    },
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    diffConfig,
    configure: async (args) => {
      state = await connect(plainProps(args));
    },
    resources: {
      "kubernetes:core/v1:ConfigMap": objectResource("configmaps", connection),
      "kubernetes:core/v1:Secret": objectResource("secrets", connection),
    },
    functions: {},
  };
}
