/** The lab's files: only ever under `.lab/`. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { readKubeconfig } from "../../agreed/kubeconfig";
import { LAB as ROOT, labFolder } from "../../agreed/lab-folder";

export interface LabFiles {
  readonly cluster: string;
  readonly project: string;
  readonly stack: string;
}

const ACCESS = ["kubeconfig", "talosconfig", "kubeconfig.new", "talosconfig.new"];

/** Removes the cluster's files; all of `.lab/`, state and passphrase included, when nothing else needs it. Gives lines to print. */
export async function removeFiles(files: LabFiles): Promise<string[]> {
  if (!existsSync(ROOT)) return [`${ROOT}/: not there`];
  const others = [...otherStacks(files), ...otherFolders(files)];
  if (others.length === 0) {
    await rm(ROOT, { recursive: true, force: true });
    return [`${ROOT}/: removed`];
  }
  const folder = labFolder(files.cluster);
  for (const name of ACCESS) await rm(join(folder, name), { force: true });
  // Other things may lie there, and then it stays.
  await rmdir(folder).catch(() => undefined);
  return [`${folder}/: kubeconfig and talosconfig removed; the rest stays for ${others.join(", ")}`];
}

/** The certificate authority of the lab's cluster, while its kubeconfig lies there. */
export function authorityOfLab(cluster: string): string | undefined {
  try {
    return readKubeconfig(readFileSync(join(labFolder(cluster), "kubeconfig"), "utf8")).authority;
  } catch {
    return undefined;
  }
}

/** Stacks besides this one whose state is kept here. */
function otherStacks({ project, stack }: LabFiles): string[] {
  const stacks = join(ROOT, "state/.pulumi/stacks", project);
  if (!existsSync(stacks)) return [];
  return readdirSync(stacks)
    .filter((name) => name.endsWith(".json") && name !== `${stack}.json`)
    .map((name) => `stack ${name.replace(/\.json$/, "")}`);
}

/** Credentials of other labs. */
const otherFolders = ({ cluster }: LabFiles): string[] =>
  [ROOT, ...folders(ROOT)]
    .filter((folder) => folder !== labFolder(cluster) && existsSync(join(folder, "kubeconfig")))
    .map((folder) => `${folder}/kubeconfig`);

const folders = (parent: string): string[] =>
  readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name));
