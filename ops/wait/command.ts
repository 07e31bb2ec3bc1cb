import type { Command } from "commander";
import { operations } from "../../agreed/operations";
import { readInput } from "../lib/input";
import { waitNode } from "./node";
import { waitKubernetesApi, waitReady } from "./run";

export function register(program: Command): void {
  const wait = program
    .command("wait")
    .description("wait for a part of the cluster (called by the program; input as JSON on stdin)");
  wait
    .command("kubernetes-api")
    .description("until the Kubernetes API answers, and what its clients load comes quickly")
    .action(async () => waitKubernetesApi(await readInput(operations.waitKubernetesApi.input)));
  wait
    .command("node")
    .description("until a node whose machine was replaced is back (etcd too): the next one's turn comes then")
    .action(async () =>
      waitNode(await readInput(operations.waitNode.input), process.env["PULUMI_COMMAND_STDOUT"] ?? ""),
    );
  wait
    .command("ready")
    .description("Talos API, config, etcd, Kubernetes API, nodes, CoreDNS: each until it is as the plan says")
    .action(async () => waitReady(await readInput(operations.waitReady.input)));
}
