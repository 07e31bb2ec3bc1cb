/** One node after its container was made anew. */
import type { NodeInput } from "../../agreed/operations";
import type { Talosctl, TalosctlAnswer } from "../clients/talosctl";
import { MACHINE_STATUS, machineStatuses } from "./machine-status";
import { only } from "./talos";
import { seen, type Wait } from "./wait";

export interface NodeWait {
  readonly talosctl: Talosctl;
  readonly node: NodeInput;
  /** False without a CNI: such a node never becomes ready. */
  readonly ready: boolean;
  readonly limitSeconds: number;
  /** Called when the node turns out to have lost its config with its volumes. */
  readonly onEmpty: () => void;
}

/** A node in maintenance mode shows a certificate of its own making. */
const NO_CONFIG = "certificate signed by unknown authority";

/** The node runs and says that it is ready; one without a config has nothing to come back to. */
export const nodeWait = ({ talosctl, node, ready, limitSeconds, onEmpty }: NodeWait): Wait => ({
  name: `node ${node.name}`,
  limitSeconds,
  async look() {
    const answer = await talosctl.run(only(node), MACHINE_STATUS);
    if (answer.stderr.includes(NO_CONFIG)) {
      onEmpty();
      return seen({});
    }
    const fault = nodeFault(answer, ready);
    return seen(fault === undefined ? {} : { [node.name]: fault });
  },
});

/** Why the node is not as it should be; undefined when it is. */
export function nodeFault({ ok, stdout, stderr }: TalosctlAnswer, ready: boolean): string | undefined {
  const [status] = ok ? machineStatuses(stdout).values() : [];
  if (status === undefined) return stderr === "" ? "no machine status" : stderr.split("\n")[0];
  if (status.stage !== "running") return `stage ${status.stage}`;
  if (status.ready || !ready) return undefined;
  return status.unmet.length === 0 ? "not ready" : `not ready: ${status.unmet.join(", ")}`;
}
