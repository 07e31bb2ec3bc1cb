/** Looks at this machine's files and at the stack's credentials. Changes nothing. */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { type Look, look } from "./check";
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

const kubeconfig = z.looseObject({
  clusters: z.array(z.looseObject({ cluster: z.looseObject({ "certificate-authority-data": z.string() }) })),
  users: z.array(z.looseObject({ user: z.looseObject({ "client-certificate-data": z.string() }) })),
});
const talosconfig = z.looseObject({
  contexts: z.record(z.string(), z.looseObject({ ca: z.string(), crt: z.string() })),
});

/** The cluster's two authorities as they stand in configs: base64 of PEM. */
export const authorities = (access: StackAccess): Promise<Look<string[]>> =>
  look(() => [
    ...kubeconfig
      .parse(parse(access.kubeconfig))
      .clusters.map(({ cluster }) => cluster["certificate-authority-data"]),
    ...Object.values(talosconfig.parse(parse(access.talosconfig)).contexts).map(({ ca }) => ca),
  ]);

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
