/** LoadBalancerTarget. */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { bridgedResource, type Schema } from "../framework/bridged";
import type { Props, ResourceStandIn } from "../framework/types";
import { flag, number, text } from "../framework/values";
import type { ApiTarget } from "./api-types";
import { isCode, type HetznerClient } from "./client";
import { ofProps, oneOf, type Api } from "./common";
import { balancerAction, fetchBalancer } from "./load-balancer";
import { ifThere } from "./network";
import { fetchServer } from "./server-state";

const targetProperties: Schema = {
  loadBalancerId: { type: "number", required: true, forceNew: true },
  type: { type: "string", required: true, validate: oneOf("server", "label_selector", "ip") },
  serverId: { type: "number", forceNew: true },
  labelSelector: { type: "string", forceNew: true },
  ip: { type: "string", forceNew: true },
  usePrivateIp: { type: "bool", computed: "optional" },
};

const sha256 = (value: string): string => createHash("sha256").update(value).digest("hex");

function targetId(planned: Props): string {
  const balancer = number(planned, "loadBalancerId") ?? 0;
  const type = text(planned, "type");
  if (type === "server") return `lb-srv-tgt-${number(planned, "serverId") ?? 0}-${balancer}`;
  if (type === "ip") return `lb-ip-tgt-${text(planned, "ip") ?? ""}-${balancer}`;
  return `lb-label-selector-tgt-${sha256(text(planned, "labelSelector") ?? "")}-${balancer}`;
}

function targetBody(planned: Props): object {
  const type = text(planned, "type");
  if (type === "server") return { type, server: { id: number(planned, "serverId") } };
  if (type === "ip") return { type, ip: { ip: text(planned, "ip") } };
  return { type, label_selector: { selector: text(planned, "labelSelector") } };
}

const isTarget = (target: ApiTarget, planned: Props): boolean =>
  target.type === text(planned, "type") &&
  target.server?.id === number(planned, "serverId") &&
  target.label_selector?.selector === text(planned, "labelSelector") &&
  target.ip?.ip === text(planned, "ip");

const privateNetSeconds = 31;

/** A target by private address needs the load balancer in a network first. */
async function awaitPrivateNet(api: HetznerClient, id: number, signal: AbortSignal): Promise<void> {
  for (let second = 0; second < privateNetSeconds; second += 1) {
    if (((await fetchBalancer(api, id, signal))?.private_net.length ?? 0) > 0) return;
    await sleep(1000, undefined, { signal });
  }
}

async function addTarget(api: HetznerClient, planned: Props, signal: AbortSignal): Promise<void> {
  const id = number(planned, "loadBalancerId") ?? 0;
  if ((await fetchBalancer(api, id, signal)) === undefined) throw new Error(`load balancer ${id}: not found`);
  const server = number(planned, "serverId");
  if (server !== undefined && (await fetchServer(api, server, signal)) === undefined)
    throw new Error(`server ${server}: not found`);
  const usePrivate = flag(planned, "usePrivateIp");
  if (usePrivate === true) await awaitPrivateNet(api, id, signal);
  const body = { ...targetBody(planned), ...ofProps({ use_private_ip: usePrivate }) };
  try {
    await api.insist(["conflict", "locked"], 5, () =>
      balancerAction(api, id, { name: "add_target", body, signal }),
    );
  } catch (error) {
    if (!isCode(error, "target_already_defined")) throw error;
  }
}

const removeTarget = (api: HetznerClient, state: Props, signal: AbortSignal): Promise<void> =>
  ifThere(() =>
    balancerAction(api, number(state, "loadBalancerId") ?? 0, {
      name: "remove_target",
      body: targetBody(state),
      signal,
    }),
  );

const withPrivate = (planned: Props): Props => ({ usePrivateIp: flag(planned, "usePrivateIp") ?? false });

export const loadBalancerTargetResource = (api: Api): ResourceStandIn =>
  bridgedResource(
    { kind: "sdk", properties: targetProperties },
    {
      create: async (planned, { signal }) => {
        await addTarget(api(), planned, signal);
        return { id: targetId(planned), state: withPrivate(planned) };
      },
      read: async ({ state }) => {
        const balancer = await fetchBalancer(api(), number(state, "loadBalancerId") ?? 0);
        const target = balancer?.targets.find((candidate) => isTarget(candidate, state));
        return target === undefined
          ? undefined
          : { state: { ...state, usePrivateIp: target.use_private_ip ?? false } };
      },
      update: async (planned, { olds, signal }) => {
        await removeTarget(api(), olds, signal);
        await addTarget(api(), planned, signal);
        return { state: withPrivate(planned) };
      },
      delete: ({ state, signal }) => removeTarget(api(), state, signal),
    },
  );
