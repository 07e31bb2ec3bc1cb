import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

import { startEngine } from "../docker-engine";
import { startFactory } from "../image-factory";
import { startHetzner } from "../hetzner";
import { startPluginProcess } from "./plugin-process";
import { freePortRange, freePublicNetwork } from "./ports";
import { stopAll } from "./world";
import type { Engine, Hetzner, StartWorld, World, WorldContext } from "./world";

const LAB_NODES_AT_MOST = 10;
const ON_BOTH = ["talos", "command", "kubernetes"];
const POLL_INTERVAL = "100ms";

/** The stand-ins in a process of their own, with the environment and folder that Pulumi would give to plugins. */
const servePlugins =
  ({ root, tools }: WorldContext, names: readonly string[]): World["servePlugins"] =>
  async ({ cwd, env, except }) =>
    startPluginProcess({
      root,
      cwd,
      env,
      simnode: tools.simnode.path,
      names: names.filter((name) => !except.includes(name)),
    });

function talosVersion({ root, stack }: WorldContext): string {
  const file = parse(readFileSync(join(root, `Pulumi.${stack}.yaml`), "utf8")) as {
    config: Record<string, unknown>;
  };
  return `v${String(file.config["talos-fleet:talosVersion"]).replace(/^v/, "")}`;
}

const BUILT_IN_NETWORKS = new Set(["bridge", "host", "none"]);

const engineLeftovers = ({ world }: Engine): readonly string[] => [
  ...[...world.containers.values()].map(({ name }) => `container ${name}`),
  ...[...world.volumes.values()].map(({ name }) => `volume ${name}`),
  ...[...world.networks.values()]
    .filter(({ name }) => !BUILT_IN_NETWORKS.has(name))
    .map(({ name }) => `network ${name}`),
];

/** The account's inventory, one line a thing. */
const accountLeftovers = (hetzner: Hetzner): readonly string[] =>
  Object.entries(hetzner.inventory()).flatMap(([kind, items]) =>
    (items as readonly (string | number)[]).map((item) => `${kind}: ${item}`),
  );

/** A Docker engine whose containers are simulated nodes, on a socket of its own. */
const startLab: StartWorld = async (context) => {
  const factory = await startFactory({});
  const engine = await startEngine({
    dir: join(context.folder, "engine"),
    simnode: context.tools.simnode.path,
  });
  const talosPort = await freePortRange(LAB_NODES_AT_MOST + 1);
  const docker = { host: engine.host, talosPort, kubernetesPort: talosPort + LAB_NODES_AT_MOST };
  return {
    factory,
    engine,
    overrides: { "talos-fleet:factoryUrl": factory.url, "talos-fleet:docker": docker },
    secrets: {},
    servePlugins: servePlugins(context, ["docker", ...ON_BOTH]),
    leftovers: () => engineLeftovers(engine),
    stop: async () => stopAll([factory, engine]),
  };
};

/** A Hetzner account that holds one Talos snapshot, with servers on loopback. */
const startCloud: StartWorld = async (context) => {
  const token = randomBytes(32).toString("hex");
  const factory = await startFactory({});
  const hetzner = await startHetzner({
    dir: join(context.folder, "hetzner"),
    simnode: context.tools.simnode.path,
    token,
    publicNetwork: await freePublicNetwork(),
    talosVersion: talosVersion(context),
  });
  return {
    factory,
    hetzner,
    overrides: {
      "talos-fleet:factoryUrl": factory.url,
      "talos-fleet:hetzner": { adminCidrs: ["127.0.0.0/8"], imageId: hetzner.snapshotId },
      "hcloud:endpoint": hetzner.url,
      "hcloud:pollInterval": POLL_INTERVAL,
    },
    secrets: { "hcloud:token": token },
    servePlugins: servePlugins(context, ["hcloud", ...ON_BOTH]),
    leftovers: () => accountLeftovers(hetzner),
    stop: async () => stopAll([factory, hetzner]),
  };
};

/** Starts what the committed stack of that name runs against. */
export async function startStackWorld(context: WorldContext): Promise<World> {
  return context.stack === "lab" ? startLab(context) : startCloud(context);
}
