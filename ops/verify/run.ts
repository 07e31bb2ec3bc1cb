/** The whole checklist of a running cluster. */
import { recordData } from "../../agreed/fleet-record";
import type { ClusterPlan } from "../../config/types";
import { requireSchematic } from "../../factory/resolve";
import { dockerClient } from "../platforms/docker/client";
import { engineFromHere } from "../platforms/docker/engine";
import { kubernetesClient } from "../clients/kubernetes";
import { withTalosctl } from "../clients/talosctl";
import { type Check, look } from "./check";
import { liveNodes, liveRecord } from "./gather-kubernetes";
import { authorities, expiries, labFiles, shellAnswers, usersFiles } from "./gather-machine";
import { liveConfigs, liveSysctls, talosTexts } from "./gather-talos";
import { expiryChecks, fileChecks, shellChecks, untouchedChecks } from "./judge-access";
import { configChecks, sysctlChecks } from "./judge-config";
import { nodeChecks, recordChecks } from "./judge-kubernetes";
import { talosChecks } from "./judge-talos";
import type { StackAccess } from "./stack-access";

export async function verify(plan: ClusterPlan, access: StackAccess): Promise<Check[]> {
  return [
    ...(await talosPart(plan, access)),
    ...(await kubernetesPart(plan, access)),
    ...(plan.platform === "docker" ? await shellPart(plan) : []),
    ...(await accessPart(plan, access)),
  ];
}

const talosPart = (plan: ClusterPlan, access: StackAccess): Promise<Check[]> =>
  withTalosctl(access.talosconfig, async (talosctl) => {
    const source = { talosctl, plan, access };
    const texts = await talosTexts(source);
    const configs = await liveConfigs(source);
    const sysctls = await liveSysctls(source);
    return [
      ...talosChecks(plan, texts),
      ...configChecks(plan.nodes, configs),
      ...sysctlChecks(plan.nodes, sysctls),
    ];
  });

async function kubernetesPart(plan: ClusterPlan, access: StackAccess): Promise<Check[]> {
  const api = kubernetesClient(access.kubeconfig);
  const { schematic, platform, versions } = plan;
  const target = { talosVersion: versions.talos, platform };
  const { id } = requireSchematic(schematic.text, schematic.source, target);
  const [nodes, record] = await Promise.all([liveNodes(api), liveRecord(api)]);
  return [
    ...nodeChecks(plan, nodes),
    ...recordChecks(recordData({ cluster: plan.name, schematicId: id, versions }), record),
  ];
}

async function shellPart(plan: ClusterPlan & { platform: "docker" }): Promise<Check[]> {
  const docker = await look(async () => dockerClient(engineFromHere(plan.docker)));
  if ("found" in docker) return shellChecks(await shellAnswers(docker.found, plan.nodes));
  return shellChecks(plan.nodes.map(({ name }) => ({ node: name, answer: docker })));
}

async function accessPart(plan: ClusterPlan, access: StackAccess): Promise<Check[]> {
  return [
    ...expiryChecks(await expiries(access), new Date()),
    ...(plan.platform === "docker" ? fileChecks(labFiles(plan.name, access)) : []),
    ...untouchedChecks(usersFiles(), authorities(access)),
  ];
}
