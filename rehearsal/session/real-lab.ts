/** A rehearsal of the lab whose Docker engine is a real one: real networks, ports, volumes and restarts, simulated nodes. */
import { join } from "node:path";

import { startFactory } from "../image-factory";
import { dockerClient } from "../plugins/docker/client";
import { buildNodeImage } from "../real-docker-engine";
import { openSession } from "./index";
import type { Tools } from "../tools";
import { startPluginProcess } from "./plugin-process";
import type { PluginProcess } from "./plugin-process";
import { freePortRange } from "./ports";
import { RealLab } from "./real-lab-stack";
import { watchedSocket } from "./real-lab-socket";
import { stopAll } from "./world";
import type { PluginPlace, StartWorld } from "./world";

const IMAGE = "ghcr.io/siderolabs/talos";
const NODES_AT_MOST = 10;
const PLUGINS = ["docker", "talos", "command", "kubernetes"];

export interface RealLabOptions {
  readonly root: string;
  readonly tools: Tools;
  /** `unix://…` of an engine that is up; it stays the caller's. */
  readonly host: string;
  readonly overrides?: Readonly<Record<string, unknown>>;
}

/** Puts images of these Talos versions on the engine: the simulated node, tagged like the Talos image. */
export async function provideNodeImages(
  host: string,
  tools: Tools,
  versions: readonly string[],
): Promise<void> {
  for (const version of versions) {
    await buildNodeImage({ host, simnode: tools.simnode.path, reference: `${IMAGE}:${version}` });
  }
}

/** The free ports of a lab and where it finds the engine: what `docker` of its stack file says. */
export async function labKeys(host: string): Promise<Record<string, unknown>> {
  const talosPort = await freePortRange(NODES_AT_MOST + 1);
  return { host, talosPort, kubernetesPort: talosPort + NODES_AT_MOST };
}

/** Opens a lab on the engine; its images must be there. Plugins reach the engine through a socket that counts requests. */
export async function openRealLab(options: RealLabOptions): Promise<RealLab> {
  const { root, tools } = options;
  const plugins: { now?: PluginProcess; place?: PluginPlace } = {};
  const parts: { socket?: Awaited<ReturnType<typeof watchedSocket>> } = {};
  const start = async (place: PluginPlace): Promise<PluginProcess> => {
    const { cwd, env, except } = place;
    const names = PLUGINS.filter((name) => !except.includes(name));
    plugins.place = place;
    plugins.now = await startPluginProcess({ root, cwd, env, simnode: tools.simnode.path, names });
    return plugins.now;
  };
  const startWorld: StartWorld = async ({ folder }) => {
    const factory = await startFactory({});
    const socket = await watchedSocket(join(folder, "d.sock"), options.host);
    parts.socket = socket;
    return {
      factory,
      overrides: { "talos-fleet:factoryUrl": factory.url, "talos-fleet:docker": await labKeys(socket.host) },
      secrets: {},
      servePlugins: start,
      // Asking a real engine takes a call that waits: see `RealLab.engineObjects`.
      leftovers: () => ["unknown: the engine is a real one"],
      stop: async () => stopAll([factory, socket]),
    };
  };
  const session = await openSession(
    { stack: "lab", root, tools, overrides: options.overrides ?? {} },
    startWorld,
  );
  const { socket } = parts;
  if (socket === undefined) throw new Error("the session started no world; this is a bug in the rehearsal");
  return new RealLab({
    session,
    tools,
    socket,
    client: dockerClient({ host: options.host }),
    plugins: {
      current: () => plugins.now?.debugProviders ?? "",
      kill: async () => plugins.now?.kill(),
      restart: async () => {
        if (plugins.place !== undefined) await start(plugins.place);
      },
      stop: async () => plugins.now?.stop(),
    },
  });
}
