/** Asks the Kubernetes API what verify judges. Changes nothing. */
import type { AxiosInstance } from "axios";
import { z } from "zod";
import { fleetRecord } from "../../agreed/fleet-record";
import { getList, getObject } from "../clients/kubernetes";
import type { Look } from "../lib/look";
import type { LiveNode } from "./judge-kubernetes";

const taint = z.object({ key: z.string(), value: z.string().optional(), effect: z.string() });
const node = z.looseObject({
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).default({}) }),
  spec: z.looseObject({ taints: z.array(taint).default([]) }).default({ taints: [] }),
  status: z.looseObject({
    conditions: z.array(z.looseObject({ type: z.string(), status: z.string() })).default([]),
    nodeInfo: z.looseObject({ kubeletVersion: z.string() }),
  }),
});
const configMap = z.looseObject({ data: z.record(z.string(), z.string()).default({}) });

export async function liveNodes(api: AxiosInstance): Promise<Look<readonly LiveNode[]>> {
  const seen = await getList(api, "/api/v1/nodes", node);
  if ("fault" in seen) return seen;
  const nodes = seen.found.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    labels: metadata.labels,
    taints: spec.taints,
    ready: status.conditions.some(({ type, status: is }) => type === "Ready" && is === "True"),
    kubelet: status.nodeInfo.kubeletVersion,
  }));
  return { found: nodes };
}

export async function liveRecord(api: AxiosInstance): Promise<Look<Readonly<Record<string, string>>>> {
  const path = `/api/v1/namespaces/${fleetRecord.namespace}/configmaps/${fleetRecord.name}`;
  const seen = await getObject(api, path, configMap);
  return "fault" in seen ? seen : { found: seen.found.data };
}
