import type { BridgedOperations } from "../framework/bridged";
import type { Props } from "../framework/types";
import { flag, text } from "../framework/values";
import { DaemonError, isNotFound, type DockerClient } from "./client";
import type { EngineImage } from "./engine-types";
import { messageOf } from "./texts";

async function local(client: DockerClient, name: string): Promise<EngineImage | undefined> {
  try {
    return await client.call<EngineImage>(`/images/${name}/json`);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** `host:5000/talos:v1` to repository and tag; a digest counts as a tag. */
function splitReference(reference: string): { fromImage: string; tag: string } {
  const digest = reference.indexOf("@");
  if (digest >= 0) return { fromImage: reference.slice(0, digest), tag: reference.slice(digest + 1) };
  const colon = reference.lastIndexOf(":");
  const tagged = colon > reference.lastIndexOf("/");
  return tagged
    ? { fromImage: reference.slice(0, colon), tag: reference.slice(colon + 1) }
    : { fromImage: reference, tag: "latest" };
}

async function pull(client: DockerClient, name: string): Promise<void> {
  try {
    const progress = await client.call<unknown>("/images/create", {
      method: "POST",
      query: splitReference(name),
    });
    const failed = /"error":"((?:[^"\\]|\\.)*)"/.exec(
      typeof progress === "string" ? progress : JSON.stringify(progress),
    );
    if (failed !== null) throw new DaemonError(500, JSON.parse(`"${failed[1] ?? ""}"`) as string);
  } catch (error) {
    throw new Error(`unable to pull image ${name}: error pulling image ${name}: ${messageOf(error)}`);
  }
}

/** The image of that name, pulled when it is not there. */
export async function findImage(client: DockerClient, name: string): Promise<EngineImage> {
  const found = await local(client, name);
  if (found !== undefined) return found;
  await pull(client, name);
  const pulled = await local(client, name);
  if (pulled === undefined) throw new Error(`unable to find or pull image ${name}`);
  return pulled;
}

const outputs = (image: EngineImage): Props => ({
  imageId: image.Id,
  repoDigest: image.RepoDigests?.[0] ?? "",
});

async function create(client: DockerClient, planned: Props) {
  const name = text(planned, "name") ?? "";
  try {
    const image = await findImage(client, name);
    return { id: `${image.Id}${name}`, state: outputs(image) };
  } catch (error) {
    throw new Error(`Unable to read Docker image into resource: ${messageOf(error)}`);
  }
}

async function remove(client: DockerClient, state: Props): Promise<void> {
  const name = text(state, "name") ?? "";
  if (flag(state, "keepLocally") === true || (await local(client, name)) === undefined) return;
  try {
    await client.call(`/images/${name}`, {
      method: "DELETE",
      query: { force: flag(state, "forceRemove") === true ? "1" : "0" },
    });
  } catch (error) {
    throw new Error(`Unable to remove Docker image: ${messageOf(error)}`);
  }
}

/** docker:index/remoteImage:RemoteImage. */
export const remoteImageOperations = (client: () => DockerClient): BridgedOperations => ({
  create: (planned) => create(client(), planned),
  read: async ({ state }) => {
    const name = text(state, "name") ?? "";
    const image = await local(client(), name);
    return image === undefined
      ? undefined
      : { id: `${image.Id}${name}`, state: { ...state, ...outputs(image) } };
  },
  update: async (planned) => ({ state: outputs(await findImage(client(), text(planned, "name") ?? "")) }),
  delete: ({ state }) => remove(client(), state),
});
