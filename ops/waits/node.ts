/** One node after its container was made anew. */
import { parse } from "yaml";
import { z } from "zod";
import type { NodeInput } from "../../agreed/operations";
import type { Talosctl, TalosctlAnswer } from "../clients/talosctl";
import { sighting, type Stage } from "./walk";

export interface NodeStage {
  readonly talosctl: Talosctl;
  readonly node: NodeInput;
  /** False without a CNI: such a node never becomes ready. */
  readonly ready: boolean;
  readonly limitSeconds: number;
  /** Called when the node turns out to have lost its config with its volumes. */
  readonly onEmpty: () => void;
}

const machineStatus = z.looseObject({
  spec: z.looseObject({
    stage: z.string(),
    status: z.looseObject({
      ready: z.boolean(),
      unmetConditions: z.array(z.looseObject({ name: z.string() })).nullish(),
    }),
  }),
});

/** A node in maintenance mode shows a certificate of its own making. */
const NO_CONFIG = "certificate signed by unknown authority";

/** The node runs and says that it is ready; one without a config has nothing to come back to. */
export const nodeStage = ({ talosctl, node, ready, limitSeconds, onEmpty }: NodeStage): Stage => ({
  name: `node ${node.name}`,
  limitSeconds,
  async look() {
    const target = { endpoints: [node.endpoint], nodes: [node.address] };
    const answer = await talosctl.run(target, ["get", "machinestatus", "-o", "yaml"]);
    if (answer.stderr.includes(NO_CONFIG)) {
      onEmpty();
      return sighting({});
    }
    const fault = nodeFault(answer, ready);
    return sighting(fault === undefined ? {} : { [node.name]: fault });
  },
});

/** Why the node is not as it should be; undefined when it is. */
export function nodeFault({ ok, stdout, stderr }: TalosctlAnswer, ready: boolean): string | undefined {
  const parsed = ok ? machineStatus.safeParse(parse(stdout)) : undefined;
  if (parsed?.success !== true) return stderr === "" ? "no machine status" : stderr.split("\n")[0];
  const { stage, status } = parsed.data.spec;
  if (stage !== "running") return `stage ${stage}`;
  if (status.ready || !ready) return undefined;
  const unmet = (status.unmetConditions ?? []).map(({ name }) => name);
  return unmet.length === 0 ? "not ready" : `not ready: ${unmet.join(", ")}`;
}
