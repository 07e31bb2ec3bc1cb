/** Looks at a running cluster and judges it. */
import type { ClusterPlan } from "../../config/types";
import { kubernetesClient } from "../clients/kubernetes";
import { withTalosctl } from "../clients/talosctl";
import { platformChecks } from "../platforms/select";
import type { Check } from "./check";
import { liveNodes, liveRecord } from "./gather-kubernetes";
import { authorities, expiries, strays, usersFiles } from "./gather-machine";
import { liveConfigs, liveSysctls, talosTexts } from "./gather-talos";
import { judgeCluster } from "./judge";
import type { StackAccess } from "./stack-access";

export async function verify(plan: ClusterPlan, access: StackAccess): Promise<Check[]> {
  const api = kubernetesClient(access.kubeconfig);
  return judgeCluster(plan, {
    ...(await talosPart(plan, access)),
    nodes: await liveNodes(api),
    record: await liveRecord(api),
    platform: await platformChecks(plan, access),
    expiries: await expiries(access),
    usersFiles: usersFiles(),
    authorities: await authorities(access),
    strays: await strays(access),
    now: new Date(),
  });
}

const talosPart = (plan: ClusterPlan, access: StackAccess) =>
  withTalosctl(access.talosconfig, async (talosctl) => {
    const source = { talosctl, plan, access };
    return {
      texts: await talosTexts(source),
      configs: await liveConfigs(source),
      sysctls: await liveSysctls(source),
    };
  });
