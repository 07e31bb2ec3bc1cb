import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { parse } from "yaml";

import type { Session } from "../../../rehearsal/session";
import { engineTools } from "./open";

interface TalosConfig {
  readonly contexts: Readonly<
    Record<string, { readonly ca: string; readonly crt: string; readonly key: string }>
  >;
}

/** Configures a node that is still in maintenance mode as a worker of a cluster that is not ours. */
export async function configureForOther(
  session: Session,
  target: { readonly endpoint: string; readonly node: string },
): Promise<void> {
  const { talosctl, simnode } = await engineTools();
  const folder = mkdtempSync(join(tmpdir(), "tf-other-"));
  try {
    const args = ["gen", "config", "other", "https://10.5.0.2:6443", "--output", folder];
    execFileSync(talosctl.path, [...args, "--with-docs=false", "--with-examples=false"], {
      env: session.env,
      stdio: "ignore",
    });
    const text = readFileSync(join(folder, "talosconfig"), "utf8");
    const { ca, crt, key } = (parse(text) as TalosConfig).contexts["other"]!;
    const child = spawn(simnode.path, ["client"], { stdio: ["pipe", "pipe", "ignore"] });
    child.stdin.end(
      JSON.stringify({
        op: "apply",
        ...target,
        clientConfiguration: { caCertificate: ca, clientCertificate: crt, clientKey: key },
        config: readFileSync(join(folder, "worker.yaml"), "utf8"),
        mode: "no_reboot",
      }),
    );
    const answer = (await json(child.stdout)) as { readonly ok: boolean };
    if (!answer.ok) throw new Error(`the other cluster's config was refused: ${JSON.stringify(answer)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
