import type { BridgedOperations } from "../framework/bridged";
import type { Props } from "../framework/types";
import { record, text } from "../framework/values";
import { isNotFound, type DockerClient } from "./client";
import { labelMap } from "./container-body";
import type { EngineVolume } from "./engine-types";
import { labelList } from "./network";
import { messageOf } from "./texts";

const POLL_MS = 500;
const REMOVE_MS = 30_000;

const readState = (volume: EngineVolume): Props => ({
  name: volume.Name,
  driver: volume.Driver,
  driverOpts: volume.Options ?? {},
  labels: labelList(volume.Labels),
  cluster: null,
  mountpoint: volume.Mountpoint,
});

async function create(client: DockerClient, planned: Props) {
  const body = {
    Name: text(planned, "name") ?? "",
    Driver: text(planned, "driver") ?? "",
    DriverOpts: record(planned, "driverOpts"),
    Labels: labelMap(planned),
  };
  try {
    const volume = await client.call<EngineVolume>("/volumes/create", { method: "POST", body });
    return { id: volume.Name, state: { ...readState(volume), driverOpts: planned["driverOpts"] ?? null } };
  } catch (error) {
    throw new Error(`Unable to create volume: ${messageOf(error)}`);
  }
}

async function remove(client: DockerClient, id: string): Promise<void> {
  const until = Date.now() + REMOVE_MS;
  for (;;) {
    try {
      await client.call(`/volumes/${id}`, { method: "DELETE", query: { force: "1" } });
      return;
    } catch (error) {
      if (!messageOf(error).includes("volume is in use")) throw error;
      if (Date.now() > until) {
        throw new Error(
          "timeout while waiting for state to become 'removed' (last state: 'in_use', timeout: 30s)",
        );
      }
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** docker:index/volume:Volume. The engine gives an existing volume of that name instead of refusing. */
export const volumeOperations = (client: () => DockerClient): BridgedOperations => ({
  create: (planned) => create(client(), planned),
  read: async ({ id }) => {
    try {
      return { state: readState(await client().call<EngineVolume>(`/volumes/${id}`)) };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  },
  delete: ({ id }) => remove(client(), id),
});
