/** `talos-fleet wait node`: the gate between two containers of a lab. */
import { z } from "zod";
import { engineInput, limitsInput, nodeInput } from "../../agreed/operations/input";
import { withTalosctl } from "../lib/talosctl";
import { nodeStage } from "../stages/node";
import { etcdStage, talosApiStage } from "../stages/talos";
import { walk } from "../stages/walk";

export const nodeGateInput = z.object({
  node: nodeInput,
  controlPlanes: z.array(nodeInput).min(1),
  talosVersion: z.string(),
  ready: z.boolean(),
  talosconfig: z.string(),
  limits: limitsInput,
  engine: engineInput.optional(),
});

type NodeGateInput = z.infer<typeof nodeGateInput>;

/** Says why there is a new container, and returns when its node is back. @throws StageError */
export const waitNode = (input: NodeGateInput): Promise<void> =>
  withTalosctl(input.talosconfig, async (talosctl) => {
    const { node, controlPlanes, limits, ready } = input;
    const print = (line: string) => process.stdout.write(`${line}\n`);
    print(
      `${node.name}: has a new container of Talos ${input.talosVersion} (Talos in a container has no OS upgrade: ` +
        "another version is another container; /var and /system/state stay)",
    );
    const state = { empty: false };
    const onEmpty = () => {
      state.empty = true;
    };
    await walk([
      talosApiStage({ talosctl, nodes: [node], limits }),
      nodeStage({ talosctl, node, ready, limitSeconds: limits.nodesReady, onEmpty }),
    ]);
    if (state.empty) print(`${node.name}: its volumes are new too: it gets its config next`);
    else if (node.role === "controlplane")
      await walk([etcdStage({ talosctl, nodes: controlPlanes, limits })]);
  });
