/** A small client of the Kubernetes API, logged in by a kubeconfig. Why not the official one: docs/adr/0011-one-kubernetes-client.md. */
import { Agent } from "node:https";
import axios, { type AxiosInstance } from "axios";
import { z } from "zod";
import { readKubeconfig } from "../../agreed/kubeconfig";
import { messageOf } from "../../base/text";
import type { Look } from "../lib/look";

const REQUEST_TIMEOUT_MS = 5_000;

const fromBase64 = (text: string): Buffer => Buffer.from(text, "base64");

/** Talks to one of the kubeconfig's servers, unless told the first. Every status is an answer; only transport faults throw. */
export function kubernetesClient(kubeconfig: string, server?: string): AxiosInstance {
  const { servers, authority, certificate, key } = readKubeconfig(kubeconfig);
  const httpsAgent = new Agent({
    ca: fromBase64(authority),
    cert: fromBase64(certificate),
    key: fromBase64(key),
  });
  return axios.create({
    baseURL: server ?? servers[0] ?? "",
    httpsAgent,
    timeout: REQUEST_TIMEOUT_MS,
    maxRedirects: 0,
    // A proxy for the internet must not get between us and the cluster.
    proxy: false,
    validateStatus: () => true,
  });
}

const notFound = (path: string): string => `${path} answers 404`;

/** One object, in the shape that is needed of it. */
export async function getObject<T>(api: AxiosInstance, path: string, schema: z.ZodType<T>): Promise<Look<T>> {
  try {
    const { status, data } = await api.get<unknown>(path);
    if (status === 404) return { fault: notFound(path) };
    if (status !== 200) return { fault: `${path} answers ${status}` };
    const parsed = schema.safeParse(data);
    return parsed.success ? { found: parsed.data } : { fault: `${path} has an unexpected shape` };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

const PAGE = 500;

/** Every item of a list, page by page: the server gives no more than asked for at once. */
export async function getList<T>(api: AxiosInstance, path: string, item: z.ZodType<T>): Promise<Look<T[]>> {
  const page = z.looseObject({
    metadata: z.looseObject({ continue: z.string().nullish() }).nullish(),
    items: z.array(item),
  });
  const found: T[] = [];
  let next = "";
  do {
    const from = next === "" ? "" : `&continue=${encodeURIComponent(next)}`;
    const answer = await getObject(api, `${path}?limit=${PAGE}${from}`, page);
    if ("fault" in answer) return answer;
    found.push(...answer.found.items);
    next = answer.found.metadata?.continue ?? "";
  } while (next !== "");
  return { found };
}

const resourceList = z.looseObject({
  resources: z.array(z.looseObject({ name: z.string(), kind: z.string(), namespaced: z.boolean() })),
});

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Where an object lies, as the API itself tells: plurals cannot be guessed. Undefined for a kind that the cluster does not know. */
export async function pathOf(api: AxiosInstance, object: ObjectReference): Promise<Look<string | undefined>> {
  const { apiVersion, kind, name, namespace } = object;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const known = await getObject(api, root, resourceList);
  if ("fault" in known) return known.fault === notFound(root) ? { found: undefined } : known;
  // `pods/status` is of the same kind and no place of its own.
  const resource = known.found.resources.find((one) => one.kind === kind && !one.name.includes("/"));
  if (resource === undefined) return { found: undefined };
  const scope = resource.namespaced ? `/namespaces/${namespace ?? "default"}` : "";
  return { found: `${root}${scope}/${resource.name}/${name}` };
}
