/** The waits that the program calls, each for a part of the cluster. */
import type { z } from "zod";
import type { operations } from "../../agreed/operations";
import { kubernetesClient } from "../clients/kubernetes";
import { withTalosctl } from "../clients/talosctl";
import { type LiveMachines, liveMachines } from "../platforms/select";
import { reasonsOf } from "../waits/control-planes";
import { explained } from "../waits/explain";
import { coreDnsWait, kubernetesApiWait, nodesWait, schemaWait } from "../waits/kubernetes";
import { configWait, etcdWait, talosApiWait } from "../waits/talos";
import { realContext, type WaitContext, walk } from "../waits/wait";

type KubernetesApiInput = z.output<typeof operations.waitKubernetesApi.input>;
type ReadyInput = z.output<typeof operations.waitReady.input>;

/** Tells, and gives up, when a machine cannot come back by itself. */
export const contextOf = (
  machines: LiveMachines,
  names: readonly string[],
  context: WaitContext = realContext,
): WaitContext => ({
  ...context,
  inVain: () => machines.inVain(names),
});

/** Until the API answers, and what the Kubernetes plugin loads from it comes quickly. @throws with logs and causes */
export function waitKubernetesApi(
  input: KubernetesApiInput,
  context: WaitContext = realContext,
): Promise<void> {
  const { kubeconfig, controlPlanes, limits, talosconfig } = input;
  const machines = liveMachines(input.machines, { talosconfig, nodes: controlPlanes });
  const api = kubernetesClient(kubeconfig);
  const nodes = controlPlanes.map(({ name }) => ({ name, role: "controlplane" as const }));
  const around = contextOf(
    machines,
    controlPlanes.map(({ name }) => name),
    context,
  );
  return explained({ machines, nodes }, () =>
    withTalosctl(talosconfig, (talosctl) => {
      const reasons = () => reasonsOf({ talosctl, controlPlanes, machines });
      return walk([kubernetesApiWait({ api, limits, reasons }), schemaWait({ api, limits })], around);
    }),
  );
}

/** Until the cluster is what the plan says. @throws with logs and causes */
export function waitReady(input: ReadyInput, context: WaitContext = realContext): Promise<void> {
  const { nodes, limits, expect } = input;
  const machines = liveMachines(input.machines, input);
  const api = { api: kubernetesClient(input.kubeconfig), limits };
  const names = nodes.map(({ name }) => name);
  const wanted = { names, version: input.kubernetesVersion, ready: expect.nodesReady };
  const controlPlanes = nodes.filter(({ role }) => role === "controlplane");
  return explained({ machines, nodes }, () =>
    withTalosctl(input.talosconfig, (talosctl) => {
      const talos = { talosctl, nodes, limits };
      const waits = [
        talosApiWait(talos),
        configWait(talos),
        etcdWait(talos),
        kubernetesApiWait({ ...api, reasons: () => reasonsOf({ talosctl, controlPlanes, machines }) }),
        nodesWait(api, wanted),
        ...(expect.coreDns ? [coreDnsWait(api)] : []),
      ];
      return walk(waits, contextOf(machines, names, context));
    }),
  );
}
