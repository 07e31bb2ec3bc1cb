import { renameSync, writeFileSync } from "node:fs";
import { hostAddress } from "../core/public-ips";
import type { World } from "../core/world";

const nodePorts = [50000, 50001, 6443];

/** `PRIVATE:PORT` to `LOOPBACK:PORT` for every Talos server. */
function serverRoutes(world: World): [string, string][] {
  return world.servers.all().flatMap((server) => {
    if (server.disk.kind !== "talos" || server.privateNets.length === 0) return [];
    const host = hostAddress(world, server);
    const addresses = server.privateNets.flatMap(({ ip, alias_ips }) => [ip, ...alias_ips]);
    return addresses.flatMap((ip) =>
      nodePorts.map((port): [string, string] => [`${ip}:${port}`, `${host}:${port}`]),
    );
  });
}

/** How nodes reach private addresses on this machine; replaced as a whole, since nodes read it at each dial. */
export class RoutesFile {
  readonly path: string;
  private readonly world: World;
  private written = "";

  constructor(path: string, world: World) {
    this.path = path;
    this.world = world;
  }

  write(balancers: ReadonlyMap<string, string>): void {
    const routes = Object.fromEntries([...serverRoutes(this.world), ...balancers]);
    const text = `${JSON.stringify(routes, null, 1)}\n`;
    if (text === this.written) return;
    writeFileSync(`${this.path}.new`, text, { mode: 0o600 });
    renameSync(`${this.path}.new`, this.path);
    this.written = text;
  }
}
