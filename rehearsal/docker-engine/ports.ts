import { createServer } from "node:net";

import { EngineError } from "./http";
import { newId, type EngineContainer, type PublishedPort, type World } from "./world";

const listenOnce = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : port));
    });
  });

const freePort = (): Promise<number> => listenOnce("127.0.0.1", 0);

/** A simulated node listens on loopback only, whatever the binding says. */
const listenHost = (hostIp: string): string => (hostIp.startsWith("127.") ? hostIp : "127.0.0.1");

const allocated = (world: World, hostIp: string, hostPort: number): boolean =>
  [...world.containers.values()].some(({ published }) =>
    published.some((port) => port.hostPort === hostPort && listenHost(port.hostIp) === listenHost(hostIp)),
  );

async function bind(world: World, container: EngineContainer, wanted: PublishedPort): Promise<PublishedPort> {
  const { hostIp, hostPort } = wanted;
  if (hostPort === 0) return { ...wanted, hostPort: await freePort() };
  const where = `driver failed programming external connectivity on endpoint ${container.name} (${newId()})`;
  if (allocated(world, hostIp, hostPort)) {
    throw new EngineError(500, `${where}: Bind for ${hostIp}:${hostPort} failed: port is already allocated`);
  }
  try {
    await listenOnce(listenHost(hostIp), hostPort);
  } catch {
    throw new EngineError(
      500,
      `${where}: Error starting userland proxy: listen tcp4 ${hostIp}:${hostPort}: bind: address already in use`,
    );
  }
  return wanted;
}

/** The host ports of a container that starts: those it exposes and binds. Throws as dockerd does when one of them is taken. */
export async function publish(world: World, container: EngineContainer): Promise<PublishedPort[]> {
  const published: PublishedPort[] = [];
  const exposed = container.config.ExposedPorts ?? {};
  const wanted = Object.entries(container.hostConfig.PortBindings ?? {}).filter(([port]) => port in exposed);
  for (const [containerPort, bindings] of wanted) {
    for (const { HostIp: ip, HostPort: port } of bindings ?? []) {
      const hostIp = ip === undefined || ip === "" ? "0.0.0.0" : ip;
      published.push(await bind(world, container, { containerPort, hostIp, hostPort: Number(port ?? "0") }));
    }
  }
  return published;
}

const NODE_PORTS = ["50000", "6443", "50001"];

/** Where the node's own ports listen on this machine: the published one where there is one, else one kept for life. */
export async function assignListeners(container: EngineContainer): Promise<void> {
  for (const port of NODE_PORTS) {
    const published = container.published.find(({ containerPort }) => containerPort === `${port}/tcp`);
    if (published !== undefined) {
      container.listeners.set(port, `${listenHost(published.hostIp)}:${published.hostPort}`);
    } else if (!container.listeners.has(port)) {
      container.listeners.set(port, `127.0.0.1:${await freePort()}`);
    }
  }
}
