import type { Command } from "commander";
import { z } from "zod";
import { nodeLogs } from "../docker/logs";
import { engineInput, limitsInput, nodeInput, readInput } from "../../agreed/operations/input";
import { explained } from "../docker/explain";
import { labSurroundings } from "../docker/stopped";
import { kubernetesClient } from "../lib/kubernetes";
import { withTalosctl } from "../lib/talosctl";
import { coreDnsStage, kubernetesApiStage, nodesStage } from "../stages/kubernetes";
import { configStage, etcdStage, talosApiStage } from "../stages/talos";
import { walk } from "../stages/walk";
import { nodeGateInput, waitNode } from "./wait-node";

/** `engine` only for a lab: what its containers log explains a stage that does not come. */
const apiInput = z.object({ kubeconfig: z.string(), limits: limitsInput, engine: engineInput.optional() });

const readyInput = apiInput.extend({
  talosconfig: z.string(),
  nodes: z.array(nodeInput).min(1),
  kubernetesVersion: z.string(),
  expect: z.object({ nodesReady: z.boolean(), coreDns: z.boolean() }),
});

type ReadyInput = z.infer<typeof readyInput>;

export function register(program: Command): void {
  const wait = program
    .command("wait")
    .description("wait for a stage of the cluster (called by the program; input as JSON on stdin)");
  wait
    .command("kubernetes-api")
    .description("until the Kubernetes API answers")
    .action(async () => {
      const { kubeconfig, limits, engine } = await readInput(apiInput);
      const stages = [kubernetesApiStage({ api: kubernetesClient(kubeconfig), limits })];
      await explained(nodeLogs(engine), () => walk(stages));
    });
  wait
    .command("node")
    .description(
      "until a node whose container was replaced is back (etcd too): the next one's turn comes then",
    )
    .action(async () => {
      const input = await readInput(nodeGateInput);
      await explained(nodeLogs(input.engine), () => waitNode(input));
    });
  wait
    .command("ready")
    .description("Talos API, config, etcd, Kubernetes API, nodes, CoreDNS: each until it is as the plan says")
    .action(async () => {
      const input = await readInput(readyInput);
      await explained(nodeLogs(input.engine), () => waitReady(input));
    });
}

const waitReady = (input: ReadyInput): Promise<void> =>
  withTalosctl(input.talosconfig, (talosctl) => {
    const { nodes, limits, expect } = input;
    const talos = { talosctl, nodes, limits };
    const kubernetes = { api: kubernetesClient(input.kubeconfig), limits };
    const wanted = {
      names: nodes.map(({ name }) => name),
      version: input.kubernetesVersion,
      ready: expect.nodesReady,
    };
    const stages = [
      talosApiStage(talos),
      configStage(talos),
      etcdStage(talos),
      kubernetesApiStage(kubernetes),
      nodesStage(kubernetes, wanted),
      ...(expect.coreDns ? [coreDnsStage(kubernetes)] : []),
    ];
    return walk(stages, labSurroundings(input.engine, wanted.names));
  });
