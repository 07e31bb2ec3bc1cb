import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { StackName } from "./types";

/** Never shared with a real run of the same checkout. */
const OWN = /^(\.git|\.lab|\.rehearsal|coverage|Pulumi\..+\.yaml)$/;

export interface SessionFolders {
  /** Private (0700), short, removed with the session. */
  readonly folder: string;
  /** What pulumi takes for the project: links to the checkout, a stack file and a `.lab` of its own. */
  readonly project: string;
  readonly home: string;
  readonly pulumiHome: string;
  readonly state: string;
  /** `TMPDIR` of everything that a session runs. */
  readonly temp: string;
  /** For the simulated world: sockets, node state. */
  readonly world: string;
}

/** Makes a session's folders; the program runs from links, so that neither stack file nor `.lab` is the checkout's. */
export function makeFolders(root: string, stack: StackName): SessionFolders {
  const folder = mkdtempSync(join(tmpdir(), "tf-"));
  const folders: SessionFolders = {
    folder,
    project: join(folder, "project"),
    home: join(folder, "home"),
    pulumiHome: join(folder, "pulumi"),
    state: join(folder, "state"),
    temp: join(folder, "tmp"),
    world: join(folder, "w"),
  };
  for (const path of Object.values(folders) as string[]) mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(root)) {
    if (!OWN.test(name)) symlinkSync(join(root, name), join(folders.project, name));
  }
  copyFileSync(join(root, `Pulumi.${stack}.yaml`), join(folders.project, `Pulumi.${stack}.yaml`));
  return folders;
}
