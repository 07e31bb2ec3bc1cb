/** Looks at this machine's files and at the stack's credentials. Changes nothing. */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { readKubeconfig } from "../../agreed/kubeconfig";
import { strayKubeconfigs } from "../../agreed/stray-kubeconfigs";
import { type Look, look } from "../lib/look";
import type { Expiry, FoundFile } from "./judge-access";
import type { StackAccess } from "./stack-access";

export function foundFile(path: string): FoundFile {
  if (!existsSync(path)) return { path, text: undefined, modified: "", mode: 0 };
  const { mtime, mode } = statSync(path);
  return { path, text: readFileSync(path, "utf8"), modified: mtime.toISOString(), mode: mode & 0o777 };
}

/** Where talosctl and kubectl keep their own. */
export const usersFiles = (): FoundFile[] =>
  [join(homedir(), ".talos/config"), join(homedir(), ".kube/config")].map(foundFile);

const talosconfig = z.looseObject({
  contexts: z.record(z.string(), z.looseObject({ ca: z.string(), crt: z.string() })),
});

/** The cluster's two authorities as they stand in configs: base64 of PEM. */
export const authorities = (access: StackAccess): Promise<Look<string[]>> =>
  look(() => [
    readKubeconfig(access.kubeconfig).authority,
    ...Object.values(talosconfig.parse(parse(access.talosconfig)).contexts).map(({ ca }) => ca),
  ]);

/** Logins to this cluster that the Kubernetes plugin left in the temp folder: their paths. */
export const strays = (access: StackAccess): Promise<Look<string[]>> =>
  look(() => strayKubeconfigs(readKubeconfig(access.kubeconfig).authority));

const earliest = (certificates: readonly string[]): Date =>
  new Date(
    Math.min(
      ...certificates.map((text) => Date.parse(new X509Certificate(Buffer.from(text, "base64")).validTo)),
    ),
  );

export async function expiries(access: StackAccess): Promise<Expiry[]> {
  const ofKubeconfig = await look(() => earliest([readKubeconfig(access.kubeconfig).certificate]));
  const ofTalosconfig = await look(async () => {
    const { contexts } = talosconfig.parse(parse(access.talosconfig));
    return earliest(Object.values(contexts).map(({ crt }) => crt));
  });
  return [
    { credential: "kubeconfig", end: ofKubeconfig },
    { credential: "talosconfig", end: ofTalosconfig },
  ];
}
