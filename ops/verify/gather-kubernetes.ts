/** Asks the Kubernetes API what verify judges. Changes nothing. */
import type { AxiosInstance } from "axios";
import { z } from "zod";
import { fleetRecord } from "../../agreed/fleet-record";
import { type Look, look } from "./check";
import type { LiveNode } from "./judge-kubernetes";

const taint = z.object({ key: z.string(), value: z.string().optional(), effect: z.string() });
const nodeList = z.looseObject({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
      spec: z.looseObject({ taints: z.array(taint).default([]) }).default({ taints: [] }),
      status: z.looseObject({
        conditions: z.array(z.looseObject({ type: z.string(), status: z.string() })).default([]),
        nodeInfo: z.looseObject({ kubeletVersion: z.string() }),
      }),
    }),
  ),
});

const configMap = z.looseObject({ data: z.record(z.string(), z.string()).default({}) });

async function get<T>(api: AxiosInstance, path: string, schema: z.ZodType<T>): Promise<T> {
  const { status, data } = await api.get<unknown>(path);
  if (status !== 200) throw new Error(`${path} answers ${status}`);
  return schema.parse(data);
}

export const liveNodes = (api: AxiosInstance): Promise<Look<readonly LiveNode[]>> =>
  look(async () => {
    const { items } = await get(api, "/api/v1/nodes", nodeList);
    return items.map(({ metadata, spec, status }) => ({
      name: metadata.name,
      labels: metadata.labels,
      taints: spec.taints,
      ready: status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
      kubelet: status.nodeInfo.kubeletVersion,
    }));
  });

export const liveRecord = (api: AxiosInstance): Promise<Look<Readonly<Record<string, string>>>> =>
  look(
    async () =>
      (
        await get(
          api,
          `/api/v1/namespaces/${fleetRecord.namespace}/configmaps/${fleetRecord.name}`,
          configMap,
        )
      ).data,
  );
