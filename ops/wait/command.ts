import type { Command } from "commander";
import { nodeLogs } from "../platforms/docker/logs";
import { type InputOf, operations } from "../../agreed/operations";
import { explained } from "../waits/explain";
import { labSurroundings } from "../platforms/docker/stopped";
import { readInput } from "../lib/input";
import { kubernetesClient } from "../clients/kubernetes";
import { withTalosctl } from "../clients/talosctl";
import { coreDnsStage, kubernetesApiStage, nodesStage } from "../waits/kubernetes";
import { configStage, etcdStage, talosApiStage } from "../waits/talos";
import { walk } from "../waits/walk";
import { waitNode } from "./node";

type ReadyInput = InputOf<typeof operations.waitReady>;

export function register(program: Command): void {
  const wait = program
    .command("wait")
    .description("wait for a stage of the cluster (called by the program; input as JSON on stdin)");
  wait
    .command("kubernetes-api")
    .description("until the Kubernetes API answers")
    .action(async () => {
      const { kubeconfig, limits, engine } = await readInput(operations.waitKubernetesApi.input);
      const stages = [kubernetesApiStage({ api: kubernetesClient(kubeconfig), limits })];
      await explained(nodeLogs(engine), () => walk(stages));
    });
  wait
    .command("node")
    .description(
      "until a node whose container was replaced is back (etcd too): the next one's turn comes then",
    )
    .action(async () => {
      const input = await readInput(operations.waitNode.input);
      await explained(nodeLogs(input.engine), () => waitNode(input));
    });
  wait
    .command("ready")
    .description("Talos API, config, etcd, Kubernetes API, nodes, CoreDNS: each until it is as the plan says")
    .action(async () => {
      const input = await readInput(operations.waitReady.input);
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
