/** What the control planes say, through the Talos API, of an API server that does not come. */
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import type { Talosctl } from "../clients/talosctl";
import { pairs } from "../lib/pairs";
import type { LiveMachines } from "../platforms/select";
import { type ServiceState, serviceStates } from "./services";
import { only } from "./talos";

export interface ControlPlanes {
  readonly talosctl: Talosctl;
  readonly controlPlanes: readonly {
    readonly name: string;
    readonly address: string;
    readonly endpoint: string;
  }[];
  readonly machines: Pick<LiveMachines, "cause">;
}

export interface Reasons {
  /** By control plane. */
  readonly seen: Readonly<Record<string, string>>;
  /** Those of them that nothing will mend by itself. */
  readonly final: Readonly<Record<string, string>>;
}

/** Restarts settle: the controller manager and the scheduler are not asked, and the API server's count is no fault. */
export async function reasonsOf({ talosctl, controlPlanes, machines }: ControlPlanes): Promise<Reasons> {
  const found = await pairs(controlPlanes, async (node) => {
    const [service, pods] = await Promise.all([
      talosctl.run(only(node), ["service", "kubelet"]),
      talosctl.run(only(node), ["get", "staticpodstatus", "-o", "yaml"]),
    ]);
    const kubelet = serviceStates(service.stdout).get(node.address);
    if (kubelet === undefined) return `Talos API: ${firstLine(service.stderr) || "no answer"}`;
    return kubeletReason(kubelet) ?? apiServerReason(pods.stdout);
  });
  const final = Object.entries(found).filter(([, reason]) => machines.cause(reason, "")?.final === true);
  return { seen: found, final: Object.fromEntries(final) };
}

const FAILURE = /exit code|failed|error/i;
const LONGEST = 300;

/** A kubelet that restarts for ever passes through every state: its last failure is what counts. */
export function kubeletReason({ state, health, events }: ServiceState): string | undefined {
  if (state === "Running" && health === "OK") return undefined;
  const last = events.find((event) => FAILURE.test(event)) ?? events[0];
  const text = last === undefined ? `kubelet ${state}, health ${health}` : `kubelet ${state}: ${last}`;
  // The head of a log line (date, process id) changes with every restart.
  return text.replace(/[EWIF]\d{4} [\d:.]+ +\d+ /, "").slice(0, LONGEST);
}

const condition = z.looseObject({ type: z.string(), status: z.string() });
const why = z.looseObject({ reason: z.string().default(""), message: z.string().default("") });
const staticPod = z.looseObject({
  metadata: z.looseObject({ id: z.string() }),
  spec: z.looseObject({
    phase: z.string().default("Unknown"),
    conditions: z.array(condition).nullish(),
    containerStatuses: z
      .array(
        z.looseObject({
          state: z.looseObject({ waiting: why.nullish(), terminated: why.nullish() }).nullish(),
        }),
      )
      .nullish(),
  }),
});

const API_SERVER = "kube-apiserver";

/** From the kubelet's own words on its static pods; undefined when the pod says that it is ready. */
export function apiServerReason(text: string): string | undefined {
  const pods = parseAllDocuments(text).flatMap((document) => staticPod.safeParse(document.toJS()).data ?? []);
  const pod = pods.find(({ metadata }) => metadata.id.includes(API_SERVER));
  if (pod === undefined) return `kubelet runs, ${API_SERVER} is not there yet`;
  const { phase, conditions, containerStatuses } = pod.spec;
  if (conditions?.some(({ type, status }) => type === "Ready" && status === "True") === true)
    return undefined;
  const states = (containerStatuses ?? []).map(({ state }) => state?.waiting ?? state?.terminated);
  const [state] = states.filter((one) => one != null);
  if (state === undefined) return `${API_SERVER} ${phase}, not ready`;
  return `${API_SERVER} ${phase}: ${[state.reason, state.message].filter(Boolean).join(": ")}`.slice(
    0,
    LONGEST,
  );
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";
