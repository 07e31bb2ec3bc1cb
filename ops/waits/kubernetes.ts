/** The stages that the Kubernetes API shows. */
import type { AxiosInstance } from "axios";
import { z } from "zod";
import { messageOf } from "../../base/text";
import { sighting, type Stage } from "./walk";

export interface KubernetesStages {
  readonly api: AxiosInstance;
  readonly limits: { readonly kubernetesApi: number; readonly nodesReady: number; readonly coreDns: number };
}

type Look<T> = { readonly found: T } | { readonly fault: string };

async function get<T>(api: AxiosInstance, path: string, schema: z.ZodType<T>): Promise<Look<T>> {
  try {
    const { status, data } = await api.get<unknown>(path);
    if (status !== 200) return { fault: `${path} answers ${status}` };
    const parsed = schema.safeParse(data);
    return parsed.success ? { found: parsed.data } : { fault: `${path} has an unexpected shape` };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

export const kubernetesApiStage = ({ api, limits }: KubernetesStages): Stage => ({
  name: "Kubernetes API",
  limitSeconds: limits.kubernetesApi,
  async look() {
    const look = await get(api, "/readyz", z.unknown());
    return sighting("fault" in look ? { [api.defaults.baseURL ?? "API server"]: look.fault } : {});
  },
});

const nodeList = z.looseObject({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ name: z.string() }),
      status: z
        .looseObject({
          conditions: z
            .array(z.looseObject({ type: z.string(), status: z.string(), message: z.string().optional() }))
            .default([]),
          nodeInfo: z.looseObject({ kubeletVersion: z.string() }).optional(),
        })
        .default({ conditions: [] }),
    }),
  ),
});

export type KubernetesNode = z.infer<typeof nodeList>["items"][number];

export interface WantedNodes {
  readonly names: readonly string[];
  /** Without a `v`. */
  readonly version: string;
  /** False without a CNI: the nodes must register, but cannot become Ready. */
  readonly ready: boolean;
}

export const nodesStage = ({ api, limits }: KubernetesStages, wanted: WantedNodes): Stage => ({
  name: wanted.ready ? "nodes Ready" : "nodes registered",
  limitSeconds: limits.nodesReady,
  async look() {
    const look = await get(api, "/api/v1/nodes", nodeList);
    return sighting("fault" in look ? { nodes: look.fault } : nodeFaults(look.found.items, wanted));
  },
});

/** Only the nodes of this stack are looked at: others may be on their way out. */
export function nodeFaults(nodes: readonly KubernetesNode[], wanted: WantedNodes): Record<string, string> {
  const faults = wanted.names.flatMap((name) => {
    const node = nodes.find(({ metadata }) => metadata.name === name);
    const fault = node === undefined ? "not registered" : nodeFault(node, wanted);
    return fault === undefined ? [] : [[name, fault] as const];
  });
  return Object.fromEntries(faults);
}

function nodeFault(node: KubernetesNode, wanted: WantedNodes): string | undefined {
  const version = node.status.nodeInfo?.kubeletVersion.replace(/^v/, "");
  if (version !== wanted.version) return `kubelet ${version ?? "unknown"}, wanted ${wanted.version}`;
  const ready = node.status.conditions.find(({ type }) => type === "Ready");
  if (!wanted.ready || ready?.status === "True") return undefined;
  return ready === undefined
    ? "no Ready condition yet"
    : `Ready is ${ready.status}: ${ready.message ?? ""}`.trim();
}

const deployment = z.looseObject({
  spec: z.looseObject({ replicas: z.number().default(1) }).default({ replicas: 1 }),
  status: z.looseObject({ readyReplicas: z.number().default(0) }).default({ readyReplicas: 0 }),
});

export const coreDnsStage = ({ api, limits }: KubernetesStages): Stage => ({
  name: "CoreDNS",
  limitSeconds: limits.coreDns,
  async look() {
    const look = await get(api, "/apis/apps/v1/namespaces/kube-system/deployments/coredns", deployment);
    if ("fault" in look) return sighting({ CoreDNS: look.fault });
    const { spec, status } = look.found;
    const enough = status.readyReplicas >= spec.replicas;
    return sighting(enough ? {} : { CoreDNS: `${status.readyReplicas} of ${spec.replicas} replicas ready` });
  },
});
