import type { BridgedOperations } from "../framework/bridged";
import { PartialFailure } from "../framework/errors";
import type { Props } from "../framework/types";
import { flag, number, records, text } from "../framework/values";
import { isNotFound, type DockerClient } from "./client";
import { connectBody, containerBody, updateBody } from "./container-body";
import { createdState, readState } from "./container-state";
import type { EngineContainer } from "./engine-types";
import { findImage } from "./image";
import { messageOf } from "./texts";

const POLL_MS = 100;
const DEFAULT_READ_MS = 15_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const inspect = (client: DockerClient, id: string): Promise<EngineContainer> =>
  client.call(`/containers/${id}/json`);

/** Runs a step; a failure is told as the plugin tells it. */
async function step<T>(what: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new Error(`${what}: ${messageOf(error)}`);
  }
}

async function leaveBridge(client: DockerClient, id: string): Promise<void> {
  try {
    await client.call("/networks/bridge/disconnect", {
      method: "POST",
      body: { Container: id, Force: false },
    });
  } catch (error) {
    if (!messageOf(error).includes("is not connected to")) throw error;
  }
}

async function connect(client: DockerClient, id: string, networks: readonly Props[]): Promise<void> {
  if (networks.length === 0) return;
  await step("Unable to disconnect the default network", () => leaveBridge(client, id));
  for (const network of networks) {
    const name = text(network, "name") ?? "";
    await step(`Unable to connect to network '${name}'`, () =>
      client.call(`/networks/${encodeURIComponent(name)}/connect`, {
        method: "POST",
        body: connectBody(id, network),
      }),
    );
  }
}

const startContainer = (client: DockerClient, id: string): Promise<void> =>
  step("Unable to start container", () => client.call(`/containers/${id}/start`, { method: "POST" }));

/** Waits until it runs; throws when it has ended already or does not come up in time. */
async function settled(client: DockerClient, id: string, planned: Props): Promise<EngineContainer> {
  const began = Date.now();
  const limit = number(planned, "containerReadRefreshTimeoutMilliseconds") ?? DEFAULT_READ_MS;
  const mustRun = (flag(planned, "mustRun") ?? true) && (flag(planned, "start") ?? true);
  for (;;) {
    await pause(POLL_MS);
    const container = await inspect(client, id);
    if (container.State.Running || !mustRun) return container;
    if (container.State.Status === "exited") {
      await remove(client, id, planned);
      throw new Error("container exited immediately");
    }
    if (Date.now() - began > limit) throw new Error("container failed to be in running state");
  }
}

/** The container exists but is not as wanted: it stays in the state with what is known. */
async function partial(
  client: DockerClient,
  known: { id: string; planned: Props },
  error: unknown,
): Promise<never> {
  const found = await inspect(client, known.id).catch(() => undefined);
  if (found === undefined) throw error;
  throw new PartialFailure(messageOf(error), { id: known.id, state: createdState(found, known.planned) });
}

async function create(client: DockerClient, planned: Props): Promise<{ id: string; state: Props }> {
  const image = text(planned, "image") ?? "";
  await step(`Unable to create container with image ${image}`, () => findImage(client, image));
  if (flag(planned, "wait") === true && planned["healthcheck"] == null) {
    throw new Error("container does not have a healthcheck defined");
  }
  const { Id: id } = await step("Unable to create container", () =>
    client.call<{ Id: string }>("/containers/create", {
      method: "POST",
      query: { name: text(planned, "name") ?? "" },
      body: containerBody(planned),
    }),
  );
  try {
    await connect(client, id, records(planned, "networksAdvanced"));
    if (flag(planned, "start") ?? true) await startContainer(client, id);
    return { id, state: createdState(await settled(client, id, planned), planned) };
  } catch (error) {
    return await partial(client, { id, planned }, error);
  }
}

async function read(client: DockerClient, id: string, prior: Props) {
  try {
    return { state: readState(await inspect(client, id), prior) };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function update(client: DockerClient, id: string, planned: Props): Promise<{ state: Props }> {
  await step("Unable to update a container", () =>
    client.call(`/containers/${id}/update`, { method: "POST", body: updateBody(planned) }),
  );
  const before = await inspect(client, id);
  if (flag(planned, "mustRun") === true && !before.State.Running) await startContainer(client, id);
  return {
    state: { ...readState(await settled(client, id, planned), planned), mustRun: planned["mustRun"] ?? true },
  };
}

async function waitForRemoval(client: DockerClient, id: string): Promise<void> {
  try {
    await client.call(`/containers/${id}/wait`, { method: "POST", query: { condition: "removed" } });
  } catch (error) {
    const expected = isNotFound(error) || messageOf(error).includes("is already in progress");
    if (!expected) throw new Error(`Error waiting for container removal '${id}': ${messageOf(error)}`);
  }
}

async function remove(client: DockerClient, id: string, state: Props): Promise<void> {
  if (flag(state, "rm") === true) return;
  if (flag(state, "attach") !== true) {
    const grace = String(number(state, "destroyGraceSeconds") ?? 0);
    await step(`Error stopping container ${id}`, () =>
      client.call(`/containers/${id}/stop`, { method: "POST", query: { t: grace } }),
    );
  }
  const query = { v: flag(state, "removeVolumes") === false ? "0" : "1", force: "1" };
  await step(`Error deleting container ${id}`, () =>
    client.call(`/containers/${id}`, { method: "DELETE", query }),
  );
  await waitForRemoval(client, id);
}

/** docker:index/container:Container; the client is that of the last Configure. */
export const containerOperations = (client: () => DockerClient): BridgedOperations => ({
  create: (planned) => create(client(), planned),
  read: ({ id, state }) => read(client(), id, state),
  update: (planned, { id }) => update(client(), id, planned),
  delete: ({ id, state }) => remove(client(), id, state),
});
