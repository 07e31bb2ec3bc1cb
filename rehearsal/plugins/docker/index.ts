import { bridgedResource } from "../framework/bridged";
import type { DiffRequest, DiffResponse, PluginStandIn } from "../framework/types";
import { same } from "../framework/values";
import type { DockerClient } from "./client";
import { containerOperations } from "./container";
import { withQuirks } from "./container-quirks";
import { containerSchema } from "./container-schema";
import { remoteImageOperations } from "./image";
import { networkOperations } from "./network";
import { checkReachable, clientOf, defaultHost } from "./provider";
import { networkSchema, remoteImageSchema, volumeSchema } from "./schemas";
import { volumeOperations } from "./volume";

const changedKeys = ({ olds, news }: DiffRequest): string[] =>
  Object.keys({ ...olds, ...news })
    .filter((key) => !same(olds[key] ?? null, news[key] ?? null))
    .sort();

async function diffConfig(request: DiffRequest): Promise<DiffResponse> {
  const diffs = changedKeys(request);
  return {
    changes: diffs.length === 0 ? "DIFF_UNKNOWN" : "DIFF_SOME",
    replaces: [],
    diffs,
    detailedDiff: {},
    deleteBeforeReplace: false,
    hasDetailedDiff: false,
  };
}

/** The stand-in for the docker plugin 5.1.0: it holds nothing and asks the Docker Engine API at the configured host. */
export function dockerPlugin(): PluginStandIn {
  let configured: DockerClient | undefined;
  const client = (): DockerClient => {
    if (configured === undefined)
      throw new Error("the docker provider is not configured: its host is unknown");
    return configured;
  };
  return {
    name: "docker",
    version: "5.2.0",
    capabilities: {
      acceptSecrets: false,
      supportsPreview: true,
      acceptResources: false,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
    },
    checkConfig: async ({ news }) => ({ inputs: { host: defaultHost(), ...news }, failures: [] }),
    diffConfig,
    configure: async (args) => {
      configured = clientOf(args);
      await checkReachable(configured);
    },
    resources: {
      "docker:index/network:Network": bridgedResource(networkSchema, networkOperations(client)),
      "docker:index/volume:Volume": bridgedResource(volumeSchema, volumeOperations(client)),
      "docker:index/remoteImage:RemoteImage": bridgedResource(
        remoteImageSchema,
        remoteImageOperations(client),
      ),
      "docker:index/container:Container": withQuirks(
        bridgedResource(containerSchema, containerOperations(client)),
      ),
    },
    functions: {},
  };
}
