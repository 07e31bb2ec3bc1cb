import type { BridgedOperations } from "../framework/bridged";
import type { Props } from "../framework/types";
import { flag, records, text } from "../framework/values";
import { isNotFound, type DockerClient } from "./client";
import { labelMap } from "./container-body";
import type { EngineNetwork } from "./engine-types";
import { messageOf, textMap } from "./texts";

const POLL_MS = 500;
const REMOVE_MS = 30_000;

const ipamBody = (planned: Props) => ({
  Driver: text(planned, "ipamDriver") ?? "default",
  Options: textMap(planned, "ipamOptions"),
  Config: records(planned, "ipamConfigs").map((config) => ({
    Subnet: text(config, "subnet") ?? "",
    IPRange: text(config, "ipRange") ?? "",
    Gateway: text(config, "gateway") ?? "",
    AuxiliaryAddresses: textMap(config, "auxAddress"),
  })),
});

const networkBody = (planned: Props) => ({
  Name: text(planned, "name") ?? "",
  CheckDuplicate: true,
  Driver: text(planned, "driver") ?? "",
  Internal: flag(planned, "internal") ?? false,
  Attachable: flag(planned, "attachable") ?? false,
  Ingress: flag(planned, "ingress") ?? false,
  EnableIPv6: flag(planned, "ipv6") ?? false,
  IPAM: ipamBody(planned),
  Options: textMap(planned, "options"),
  Labels: labelMap(planned),
});

export const labelList = (labels: Readonly<Record<string, string>> | null): Props[] =>
  Object.entries(labels ?? {})
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([label, value]) => ({ label, value }));

/** The state after a Read. */
function readState(network: EngineNetwork): Props {
  return {
    name: network.Name,
    driver: network.Driver,
    scope: network.Scope,
    internal: network.Internal,
    attachable: network.Attachable,
    ingress: network.Ingress,
    ipv6: network.EnableIPv6,
    ipamDriver: network.IPAM.Driver,
    ipamOptions: network.IPAM.Options ?? {},
    ipamConfigs: (network.IPAM.Config ?? []).map((config) => ({
      auxAddress: config.AuxiliaryAddresses ?? {},
      gateway: config.Gateway ?? "",
      ipRange: config.IPRange ?? "",
      subnet: config.Subnet ?? "",
    })),
    labels: labelList(network.Labels),
    options: network.Options ?? {},
  };
}

const inspect = (client: DockerClient, id: string): Promise<EngineNetwork> => client.call(`/networks/${id}`);

/** After a Create the bridge shows arguments that were not given as null, even where a Read shows them empty. */
function createdState(network: EngineNetwork, planned: Props): Props {
  const read = readState(network);
  const asked =
    records(planned, "ipamConfigs").length > 0 ? { ipamConfigs: planned["ipamConfigs"] ?? null } : {};
  return { ...read, ...asked, ipamOptions: planned["ipamOptions"] ?? null };
}

async function create(client: DockerClient, planned: Props) {
  try {
    const { Id: id } = await client.call<{ Id: string }>("/networks/create", {
      method: "POST",
      body: networkBody(planned),
    });
    return { id, state: createdState(await inspect(client, id), planned) };
  } catch (error) {
    throw new Error(`Unable to create network: ${messageOf(error)}`);
  }
}

/** Containers that are on their way out still hold the network for a moment. */
async function remove(client: DockerClient, id: string): Promise<void> {
  const until = Date.now() + REMOVE_MS;
  for (;;) {
    try {
      await client.call(`/networks/${id}`, { method: "DELETE" });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if (!messageOf(error).includes("has active endpoints")) throw error;
      if (Date.now() > until) {
        throw new Error(
          "timeout while waiting for state to become 'removed' (last state: 'pending', timeout: 30s)",
        );
      }
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** docker:index/network:Network. */
export const networkOperations = (client: () => DockerClient): BridgedOperations => ({
  create: (planned) => create(client(), planned),
  read: async ({ id }) => {
    try {
      return { state: readState(await inspect(client(), id)) };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  },
  delete: ({ id }) => remove(client(), id),
});
