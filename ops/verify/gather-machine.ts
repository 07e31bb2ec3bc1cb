/** Looks at this machine's files and at the lab's containers. Changes nothing. */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type Docker from "dockerode";
import { parse } from "yaml";
import { z } from "zod";
import type { NodePlan } from "../../config/types";
import { withoutFrames } from "../platforms/docker/logs";
import { labFolder } from "../../agreed/lab-folder";
import { type Look, look } from "./check";
import type { Expiry, FoundFile } from "./judge-access";
import type { StackAccess } from "./stack-access";

function foundFile(path: string): FoundFile {
  if (!existsSync(path)) return { path, text: undefined, modified: "", mode: 0 };
  const { mtime, mode } = statSync(path);
  return { path, text: readFileSync(path, "utf8"), modified: mtime.toISOString(), mode: mode & 0o777 };
}

/** Where talosctl and kubectl keep their own. */
export const usersFiles = (): FoundFile[] =>
  [join(homedir(), ".talos/config"), join(homedir(), ".kube/config")].map(foundFile);

export const labFiles = (cluster: string, access: StackAccess): { file: FoundFile; output: string }[] => [
  { file: foundFile(join(labFolder(cluster), "kubeconfig")), output: access.kubeconfig },
  { file: foundFile(join(labFolder(cluster), "talosconfig")), output: access.talosconfig },
];

const kubeconfig = z.looseObject({
  clusters: z.array(z.looseObject({ cluster: z.looseObject({ "certificate-authority-data": z.string() }) })),
  users: z.array(z.looseObject({ user: z.looseObject({ "client-certificate-data": z.string() }) })),
});
const talosconfig = z.looseObject({
  contexts: z.record(z.string(), z.looseObject({ ca: z.string(), crt: z.string() })),
});

/** The cluster's two authorities as they stand in configs: base64 of PEM. */
export const authorities = (access: StackAccess): string[] => [
  ...kubeconfig
    .parse(parse(access.kubeconfig))
    .clusters.map(({ cluster }) => cluster["certificate-authority-data"]),
  ...Object.values(talosconfig.parse(parse(access.talosconfig)).contexts).map(({ ca }) => ca),
];

const earliest = (certificates: readonly string[]): Date =>
  new Date(
    Math.min(
      ...certificates.map((text) => Date.parse(new X509Certificate(Buffer.from(text, "base64")).validTo)),
    ),
  );

export async function expiries(access: StackAccess): Promise<Expiry[]> {
  const ofKubeconfig = await look(async () => {
    const { users } = kubeconfig.parse(parse(access.kubeconfig));
    return earliest(users.map(({ user }) => user["client-certificate-data"]));
  });
  const ofTalosconfig = await look(async () => {
    const { contexts } = talosconfig.parse(parse(access.talosconfig));
    return earliest(Object.values(contexts).map(({ crt }) => crt));
  });
  return [
    { credential: "kubeconfig", end: ofKubeconfig },
    { credential: "talosconfig", end: ofTalosconfig },
  ];
}

/** What the engine answers to `docker exec NODE sh -c true`. */
export const shellAnswers = (
  docker: Docker,
  nodes: readonly NodePlan[],
): Promise<{ node: string; answer: Look<string> }[]> =>
  Promise.all(nodes.map(async ({ name }) => ({ node: name, answer: await shellAnswer(docker, name) })));

const CANNOT_START = "OCI runtime exec failed";

async function shellAnswer(docker: Docker, node: string): Promise<Look<string>> {
  const answer = await look(async () => {
    const attach = { AttachStdout: true, AttachStderr: true };
    const exec = await docker.getContainer(node).exec({ Cmd: ["sh", "-c", "true"], ...attach });
    const raw = await buffer(await exec.start({}));
    return withoutFrames(raw) || raw.toString("utf8");
  });
  // Some engines refuse the call, others accept it and answer in the stream.
  return "fault" in answer && answer.fault.includes(CANNOT_START) ? { found: answer.fault } : answer;
}
