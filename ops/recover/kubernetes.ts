/** What a killed create left in a cluster: the plugin refuses to create an object that exists. */
import type { AxiosInstance } from "axios";
import { z } from "zod";
import { type ObjectReference, pathOf } from "../clients/kubernetes";
import type { Outcome } from "./outcome";
import { removeFound } from "./outcome";
import type { StateResource } from "./state";

const wanted = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});

const live = z.looseObject({
  metadata: z.looseObject({
    uid: z.string().default(""),
    managedFields: z.array(z.looseObject({ manager: z.string().default("") })).default([]),
  }),
  data: z.record(z.string(), z.unknown()).nullish(),
});

/** The plugin signs what it writes; the record says in its data whose it is. */
const isOurs = (object: z.infer<typeof live>, cluster: string): boolean =>
  object.metadata.managedFields.some(({ manager }) => manager.startsWith("pulumi-kubernetes")) ||
  object.data?.["cluster"] === cluster;

/** `ConfigMap kube-system/talos-fleet`; undefined for what never had a name. */
export function objectOf(inputs: unknown): (ObjectReference & { what: string; id: string }) | undefined {
  const parsed = wanted.safeParse(inputs);
  if (!parsed.success) return undefined;
  const { apiVersion, kind, metadata } = parsed.data;
  const { name, namespace } = metadata;
  const id = namespace === undefined ? name : `${namespace}/${name}`;
  return { apiVersion, kind, name, namespace, id, what: `${kind} ${id}` };
}

export interface KubernetesPlace {
  /** Undefined when the state holds no kubeconfig (yet). */
  readonly api: AxiosInstance | undefined;
  readonly cluster: string;
  readonly inState: (id: string) => boolean;
}

/** An API that does not answer cannot be asked: the entry is then kept, and `up` may be repeated. */
export async function recoverObject(place: KubernetesPlace, resource: StateResource): Promise<Outcome> {
  const object = objectOf(resource.inputs);
  if (object === undefined) return { kind: "repeatable", why: "it never had a name" };
  const { what, id } = object;
  const { api, cluster, inState } = place;
  if (api === undefined || !(await answers(api))) {
    return {
      kind: "unasked",
      what,
      why: "the Kubernetes API does not answer; `up` tells if it is in the way",
    };
  }
  const find = async () => {
    const place = await pathOf(api, object);
    if ("fault" in place) throw new Error(place.fault);
    // A kind that the cluster does not know has no objects.
    if (place.found === undefined) return undefined;
    const path = place.found;
    const { status, data } = await api.get<unknown>(path);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET ${path} answers ${status}`);
    const remove = async () => {
      const answer = await api.delete<unknown>(path);
      if (answer.status >= 300 && answer.status !== 404)
        throw new Error(`DELETE ${path} answers ${answer.status}`);
    };
    return { id, what, ours: isOurs(live.parse(data), cluster), remove };
  };
  return removeFound({ what, mark: "the mark of this program", find }, inState);
}

async function answers(api: AxiosInstance): Promise<boolean> {
  try {
    await api.get("/version");
    return true;
  } catch {
    return false;
  }
}
