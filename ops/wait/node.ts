/** `talos-fleet wait node`: the gate between two containers of a lab. */
import type { z } from "zod";
import type { operations } from "../../agreed/operations";
import { withTalosctl } from "../clients/talosctl";
import { liveMachines } from "../platforms/select";
import { explained } from "../waits/explain";
import { nodeWait } from "../waits/node";
import { memberWait, talosApiWait } from "../waits/talos";
import { realContext, type WaitContext, walk } from "../waits/wait";
import { contextOf } from "./run";

type Gate = z.output<typeof operations.waitNode.input>;

/**
 * Returns at once when the last answer names this very container, else when its node is back; the last line that it prints is
 * the container's id, by which the next call knows. @throws with logs and causes
 */
export async function waitNode(
  input: Gate,
  lastAnswer: string,
  context: WaitContext = realContext,
): Promise<void> {
  const { container, node } = input;
  if (lastLine(lastAnswer) === container) {
    context.print(`${node.name}: the same container as before: nothing to wait for`);
  } else {
    const { talosVersion } = input;
    context.print(
      `${node.name}: has a new container of Talos ${talosVersion} (Talos in a container has no OS upgrade: ` +
        "another version is another container; /var and /system/state stay)",
    );
    await isBack(input, context);
  }
  context.print(container);
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1)?.trim() ?? "";

async function isBack(input: Gate, context: WaitContext): Promise<void> {
  const { node, controlPlanes, limits, ready } = input;
  const machines = liveMachines(input.machines, { talosconfig: input.talosconfig, nodes: [node] });
  const around = contextOf(machines, [node.name], context);
  const state = { empty: false };
  const onEmpty = () => {
    state.empty = true;
  };
  await explained({ machines, nodes: [node] }, () =>
    withTalosctl(input.talosconfig, async (talosctl) => {
      const back = nodeWait({ talosctl, node, ready, limitSeconds: limits.nodesReady, onEmpty });
      await walk([talosApiWait({ talosctl, nodes: [node], limits }), back], around);
      if (state.empty) context.print(`${node.name}: its volumes are new too: it gets its config next`);
      else if (node.role === "controlplane")
        await walk([memberWait({ talosctl, node, controlPlanes, limits })], around);
    }),
  );
}
