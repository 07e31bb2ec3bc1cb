import { spawn } from "node:child_process";
import { copyFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findProgram } from "./host";

export interface NodeImage {
  /** `unix://…` of the engine. */
  readonly host: string;
  /** Path of a statically linked simnode. */
  readonly simnode: string;
  /** `ghcr.io/siderolabs/talos:v1.13.10`: the tag is the version that the nodes say they run. */
  readonly reference: string;
}

/** The folders of a Talos image that the lab mounts something on, and those that a container needs. */
const FOLDERS = [
  ...["dev", "proc", "sys", "run", "system/state", "tmp", "var", "opt", "sbin", "etc/cni", "etc/kubernetes"],
  ...["usr/libexec/kubernetes", "usr/etc"],
];

function layOut(root: string, simnode: string, version: string): void {
  for (const folder of FOLDERS) mkdirSync(join(root, folder), { recursive: true });
  copyFileSync(simnode, join(root, "sbin/init"));
  chmodSync(join(root, "sbin/init"), 0o755);
  writeFileSync(join(root, "etc/talos-version"), `${version}\n`);
  writeFileSync(join(root, "usr/etc/in-container"), "");
}

/** Streams a tar of the folder into the engine, as `docker import` does. */
function importImage(root: string, host: string, target: URLSearchParams): Promise<void> {
  return new Promise((resolve, reject) => {
    const tar = spawn(findProgram("tar") ?? "tar", ["-C", root, "--owner=0", "--group=0", "-cf", "-", "."]);
    const path = `/images/create?${target.toString()}`;
    const outgoing = request(
      { socketPath: host.slice("unix://".length), method: "POST", path },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () => {
          const failed = (response.statusCode ?? 500) >= 400 || text.includes('"error"');
          if (failed) reject(new Error(`the engine does not take the image: ${text.trim()}`));
          else resolve();
        });
      },
    );
    outgoing.on("error", reject);
    tar.on("error", reject);
    tar.stdout.pipe(outgoing);
  });
}

/** Makes an image that holds the simulated node as `/sbin/init`, named like the Talos image; no registry is asked. */
export async function buildNodeImage({ host, simnode, reference }: NodeImage): Promise<void> {
  const colon = reference.lastIndexOf(":");
  const [repo, tag] = [reference.slice(0, colon), reference.slice(colon + 1)];
  const root = mkdtempSync(join(tmpdir(), "node-image-"));
  try {
    layOut(root, simnode, tag);
    const target = new URLSearchParams({ fromSrc: "-", repo, tag, changes: 'ENTRYPOINT ["/sbin/init"]' });
    await importImage(root, host, target);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
