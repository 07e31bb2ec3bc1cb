/** What verify looks at in a lab alone: its containers and its files. */
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type Docker from "dockerode";
import { labFolder } from "../../../agreed/lab-folder";
import type { DockerClusterPlan, NodePlan } from "../../../config/types";
import { type Look, look } from "../../lib/look";
import type { Check } from "../../verify/check";
import { foundFile } from "../../verify/gather-machine";
import { fileChecks, shellChecks } from "../../verify/judge-access";
import type { StackAccess } from "../../verify/stack-access";
import { dockerClient } from "./client";
import { engineFromHere } from "./engine";
import { withoutFrames } from "./logs";

export const verifyLab = async (plan: DockerClusterPlan, access: StackAccess): Promise<Check[]> => [
  ...shellChecks(await shellAnswers(plan)),
  ...fileChecks(labFiles(plan.name, access)),
];

const labFiles = (cluster: string, access: StackAccess) =>
  (["kubeconfig", "talosconfig"] as const).map((name) => ({
    file: foundFile(join(labFolder(cluster), name)),
    output: access[name],
  }));

interface ShellAnswer {
  readonly node: string;
  readonly answer: Look<string>;
}

/** What the engine answers to `docker exec NODE sh -c true`. */
async function shellAnswers(plan: DockerClusterPlan): Promise<ShellAnswer[]> {
  const docker = await look(() => dockerClient(engineFromHere(plan.docker)));
  const answer = async ({ name }: NodePlan): Promise<ShellAnswer> => ({
    node: name,
    answer: "fault" in docker ? docker : shellAnswer(await exec(docker.found, name)),
  });
  return Promise.all(plan.nodes.map(answer));
}

const exec = (docker: Docker, node: string): Promise<Look<string>> =>
  look(async () => {
    const attach = { AttachStdout: true, AttachStderr: true };
    const started = await docker.getContainer(node).exec({ Cmd: ["sh", "-c", "true"], ...attach });
    const raw = await buffer(await started.start({}));
    return withoutFrames(raw) || raw.toString("utf8");
  });

const CURE = "pulumi refresh, then pulumi up makes it again (make up does both)";

/** Some engines refuse a call that others accept and answer in the stream; what people can do about the rest. Pure. */
export function shellAnswer(answer: Look<string>): Look<string> {
  if ("found" in answer) return answer;
  const { fault } = answer;
  if (fault.includes("OCI runtime exec failed") || /executable file .*not found/.test(fault))
    return { found: fault };
  if (/no such container/i.test(fault)) return { fault: `its container is not there: ${CURE}` };
  if (/is not running/i.test(fault)) return { fault: `its container is stopped: ${CURE}` };
  if (/is paused/i.test(fault)) return { fault: "its container is paused: docker unpause starts it again" };
  return answer;
}
