/**
 * The Kubernetes plugin writes the kubeconfig that it was given, private key and all, to `kubeconfig<digits>` in the temp
 * folder at every preview, up and refresh, and never removes it. These are found by the cluster's own authority.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readKubeconfig } from "./kubeconfig";

const WRITTEN_BY_PLUGIN = /^kubeconfig\d+$/;
/** A kubeconfig has a few kilobytes; whatever is larger is none. */
const LARGEST = 1 << 20;

/** Paths of the plugin's files that hold a login to the cluster of this authority (base64, as in a kubeconfig). */
export function strayKubeconfigs(authority: string, folder = tmpdir()): string[] {
  return namesIn(folder)
    .filter((name) => WRITTEN_BY_PLUGIN.test(name))
    .map((name) => join(folder, name))
    .filter((path) => authorityOf(path) === authority);
}

/** Removes them and gives their paths. One that somebody else removes meanwhile is gone, too. */
export function removeStrayKubeconfigs(authority: string, folder = tmpdir()): string[] {
  const found = strayKubeconfigs(authority, folder);
  for (const path of found) rmSync(path, { force: true });
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined for what is not a user's own file: in a temp folder others may have put links and pipes. */
function authorityOf(path: string): string | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined;
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      return size > LARGEST ? undefined : readKubeconfig(readFileSync(file, "utf8")).authority;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
