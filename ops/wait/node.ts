/** `talos-fleet wait node`: the gate between two containers of a lab. */
import type { InputOf, operations } from "../../agreed/operations";
import { withTalosctl } from "../clients/talosctl";
import { nodeStage } from "../waits/node";
import { etcdStage, talosApiStage } from "../waits/talos";
import { walk } from "../waits/walk";

/** Says why there is a new container, and returns when its node is back. @throws StageError */
export const waitNode = (input: InputOf<typeof operations.waitNode>): Promise<void> =>
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
