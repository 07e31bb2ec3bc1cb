/** The process that the plugin stand-ins run in: `plugin-host.ts SIMNODE NAME...`; ends when its standard input does. */
import { commandPlugin } from "../plugins/command";
import { dockerPlugin } from "../plugins/docker";
import { servePlugins } from "../plugins/framework/serve";
import type { PluginStandIn } from "../plugins/framework/types";
import { hcloudPlugin } from "../plugins/hcloud";
import { kubernetesPlugin } from "../plugins/kubernetes";
import { talosPlugin } from "../plugins/talos";

const [simnode = "simnode", ...names] = process.argv.slice(2);
const talosctl = process.env["TALOSCTL"] ?? "talosctl";

const standIns: Readonly<Record<string, () => PluginStandIn>> = {
  command: () => commandPlugin(),
  docker: () => dockerPlugin(),
  hcloud: () => hcloudPlugin(),
  kubernetes: () => kubernetesPlugin(),
  talos: () => talosPlugin({ talosctl, simnode }),
};

function standIn(name: string): PluginStandIn {
  const make = standIns[name];
  if (make === undefined) throw new Error(`${name}: there is no stand-in for this plugin`);
  return make();
}

async function main(): Promise<void> {
  const served = await servePlugins(names.map(standIn));
  process.stdin.resume().once("end", () => void served.stop());
  process.stdout.write(`${served.debugProviders}\n`);
}

void main();
