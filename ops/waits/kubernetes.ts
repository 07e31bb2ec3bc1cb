/** The waits for what the Kubernetes API shows. */
import type { AxiosInstance } from "axios";
import { z } from "zod";
import { schemaTimeout } from "../../agreed/client-timeout";
import { messageOf } from "../../base/text";
import { getList, getObject } from "../clients/kubernetes";
import type { Reasons } from "./control-planes";
import { seen, type Wait } from "./wait";

export interface KubernetesWaits {
  readonly api: AxiosInstance;
  readonly limits: { readonly kubernetesApi: number; readonly nodesReady: number; readonly coreDns: number };
}

export interface ApiWait extends Pick<KubernetesWaits, "api"> {
  readonly limits: { readonly kubernetesApi: number };
  /** What the control planes say meanwhile; asked only while the API does not answer. */
  readonly reasons?: () => Promise<Reasons>;
}

export const kubernetesApiWait = ({ api, limits, reasons }: ApiWait): Wait => ({
  name: "Kubernetes API",
  limitSeconds: limits.kubernetesApi,
  async look() {
    const answer = await getObject(api, "/readyz", z.unknown());
    if ("found" in answer) return seen({});
    const said = await reasons?.();
    return seen({ ...said?.seen, [api.defaults.baseURL ?? "API server"]: answer.fault }, said?.final);
  },
});

const SCHEMA = "/openapi/v2";
/** As client-go asks; the simulated and the real API answer JSON to those who do not. */
const SCHEMA_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** Seconds: at once, and twice in a row. */
const QUICK = { once: 1, twice: 2 } as const;
/** On a machine that is no faster: so many in a row, each well within what the plugin waits. */
const SLOW_ANSWERS = 5;
const WELL_WITHIN = 0.8;
/** What people should know of: each preview takes as long. */
const SLOW_S = 10;

/** The Kubernetes plugin loads the whole schema first, which an API server that has just started takes seconds to put together. */
export function schemaWait(
  { api, limits }: Omit<ApiWait, "reasons">,
  now: () => number = () => performance.now(),
): Wait {
  const took: number[] = [];
  const timeout = schemaTimeout(process.env);
  return {
    name: "Kubernetes API's schema",
    limitSeconds: limits.kubernetesApi,
    async look() {
      const start = now();
      const fault = await schemaFault(api, Math.min(timeout, limits.kubernetesApi));
      const seconds = (now() - start) / 1000;
      if (fault !== undefined) {
        took.length = 0;
        return seen({ [SCHEMA]: fault });
      }
      took.push(seconds);
      const takes = `takes ${seconds.toFixed(1)} s`;
      if (!comesQuickly(took, timeout)) return seen({ [SCHEMA]: takes });
      if (seconds <= SLOW_S) return seen({});
      const slow = `${takes} each time, and every preview and \`up\` loads it; the machine of the control plane is slow`;
      return { ...seen({}), warning: `${SCHEMA} ${slow}` };
    },
  };
}

/** From how long the answers in a row took, and how long the plugin would wait for one. */
export function comesQuickly(took: readonly number[], timeout: number): boolean {
  const within = (count: number, limit: number) =>
    took.length >= count && took.slice(-count).every((seconds) => seconds <= limit);
  return within(1, QUICK.once) || within(2, QUICK.twice) || within(SLOW_ANSWERS, WELL_WITHIN * timeout);
}

async function schemaFault(api: AxiosInstance, timeoutSeconds: number): Promise<string | undefined> {
  try {
    const { status } = await api.get<unknown>(SCHEMA, {
      headers: { Accept: `${SCHEMA_TYPE}, application/json` },
      responseType: "arraybuffer",
      timeout: timeoutSeconds * 1000,
    });
    return status === 200 ? undefined : `answers ${status}`;
  } catch (error) {
    return messageOf(error);
  }
}

const node = z.looseObject({
  metadata: z.looseObject({
    name: z.string(),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.looseObject({ unschedulable: z.boolean().optional() }).optional(),
  status: z
    .looseObject({
      conditions: z
        .array(z.looseObject({ type: z.string(), status: z.string(), message: z.string().optional() }))
        .default([]),
      nodeInfo: z.looseObject({ kubeletVersion: z.string() }).optional(),
    })
    .default({ conditions: [] }),
});

export type KubernetesNode = z.infer<typeof node>;

export interface WantedNodes {
  readonly names: readonly string[];
  /** Without a `v`. */
  readonly version: string;
  /** False without a CNI: the nodes must register, but cannot become Ready. */
  readonly ready: boolean;
}

export const nodesWait = ({ api, limits }: KubernetesWaits, wanted: WantedNodes): Wait => ({
  name: wanted.ready ? "nodes Ready" : "nodes registered",
  limitSeconds: limits.nodesReady,
  async look() {
    const answer = await getList(api, "/api/v1/nodes", node);
    return seen("fault" in answer ? { nodes: answer.fault } : nodeFaults(answer.found, wanted));
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

/** A node that Talos itself took out when it was stopped; a cordon of people's is theirs to end. */
const STOPPED_BY_TALOS = "talos.dev/cordoned";

function nodeFault({ metadata, spec, status }: KubernetesNode, wanted: WantedNodes): string | undefined {
  const version = status.nodeInfo?.kubeletVersion.replace(/^v/, "");
  if (version !== wanted.version) return `kubelet ${version ?? "unknown"}, wanted ${wanted.version}`;
  const ready = status.conditions.find(({ type }) => type === "Ready");
  if (!wanted.ready) return undefined;
  if (ready === undefined) return "no Ready condition yet";
  if (ready.status !== "True") return `Ready is ${ready.status}: ${ready.message ?? ""}`.trim();
  const cordoned = spec?.unschedulable === true && metadata.annotations?.[STOPPED_BY_TALOS] === "true";
  return cordoned ? "cordoned by Talos when it was stopped, not yet taken back" : undefined;
}

const deployment = z.looseObject({
  spec: z.looseObject({ replicas: z.number().default(1) }).default({ replicas: 1 }),
  status: z.looseObject({ readyReplicas: z.number().default(0) }).default({ readyReplicas: 0 }),
});

const COREDNS = "/apis/apps/v1/namespaces/kube-system/deployments/coredns";

export const coreDnsWait = ({ api, limits }: KubernetesWaits): Wait => ({
  name: "CoreDNS",
  limitSeconds: limits.coreDns,
  async look() {
    const answer = await getObject(api, COREDNS, deployment);
    if ("fault" in answer) return seen({ CoreDNS: answer.fault });
    const { spec, status } = answer.found;
    const enough = status.readyReplicas >= spec.replicas;
    return seen(enough ? {} : { CoreDNS: `${status.readyReplicas} of ${spec.replicas} replicas ready` });
  },
});
