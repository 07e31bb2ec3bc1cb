import { randomBytes } from "node:crypto";
import { delimiter, dirname } from "node:path";

import type { Tools } from "../tools";
import type { SessionFolders } from "./project-folder";

const PASSED_ON = ["LANG", "LC_ALL", "TERM", "TZ", "NODE_EXTRA_CA_CERTS", "SYSTEMROOT"];

/**
 * The whole environment of a rehearsal's `pulumi`: no token, proxy, kubeconfig or Docker setting of the caller gets in.
 * The passphrase is made up unless given; it protects a state that lives for minutes.
 */
export function sessionEnvironment(
  folders: SessionFolders,
  tools: Tools,
  passphrase = randomBytes(16).toString("hex"),
): Record<string, string> {
  const path = [...tools.folders, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  const env: Record<string, string> = {
    PATH: path,
    HOME: folders.home,
    TMPDIR: folders.temp,
    TALOSCTL: tools.talosctl.path,
    PULUMI_HOME: folders.pulumiHome,
    PULUMI_BACKEND_URL: `file://${folders.state}`,
    PULUMI_CONFIG_PASSPHRASE: passphrase,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    PULUMI_DISABLE_REGISTRY_RESOLVE: "true",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
    NO_COLOR: "1",
  };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}
