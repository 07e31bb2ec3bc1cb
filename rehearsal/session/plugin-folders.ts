import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** npm packages whose plugins the program uses; each SDK asks for exactly its own version. */
const PACKAGES: Readonly<Record<string, string>> = {
  command: "@pulumi/command",
  docker: "@pulumi/docker",
  hcloud: "@pulumi/hcloud",
  kubernetes: "@pulumi/kubernetes",
  talos: "@pulumiverse/talos",
};

interface Manifest {
  readonly version: string;
  readonly pulumi?: { readonly version?: string };
}

function wantedVersion(root: string, name: string): string {
  const manifest = JSON.parse(
    readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
  ) as Manifest;
  return manifest.pulumi?.version ?? manifest.version;
}

/** Folder names (`resource-talos-v0.8.1`) of the plugins that the program's SDKs ask for. */
function wantedPlugins(root: string): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(PACKAGES).map(([plugin, name]) => [
      plugin,
      `resource-${plugin}-v${wantedVersion(root, name).replace(/^v/, "")}`,
    ]),
  );
}

/**
 * Shows real plugins of the user's own Pulumi to the session's; gives their names. Pulumi takes real folders only, a
 * link to one it passes over: so the files are linked, inside a real folder.
 */
export function linkInstalledPlugins(root: string, pulumiHome: string): readonly string[] {
  const own = join(process.env["PULUMI_HOME"] ?? join(homedir(), ".pulumi"), "plugins");
  if (!existsSync(own)) return [];
  const present = new Set(readdirSync(own));
  const usable = [...wantedPlugins(root)].filter(
    ([, folder]) => present.has(folder) && !present.has(`${folder}.partial`),
  );
  for (const [, folder] of usable) {
    const shown = join(pulumiHome, "plugins", folder);
    mkdirSync(shown, { recursive: true });
    for (const file of readdirSync(join(own, folder)))
      symlinkSync(join(own, folder, file), join(shown, file));
  }
  return usable.map(([plugin]) => plugin);
}
