import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { knobsFile, turnKnobs, type Knobs } from "../../../node/knobs";
import { startProcess } from "../../../processes";

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Simulated nodes with these addresses of their own, reachable on ports of 127.0.0.1 only. */
export async function startNodes(simnode: string, addresses: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "talos-nodes-"));
  const routesFile = join(folder, "routes.json");
  const routes: Record<string, string> = {};
  const endpoints: Record<string, string> = {};
  const kubernetes: Record<string, string> = {};
  for (const address of addresses) {
    for (const port of [50000, 6443, 50001]) routes[`${address}:${port}`] = `127.0.0.1:${await freePort()}`;
    endpoints[address] = routes[`${address}:50000`]!;
    kubernetes[address] = `https://${routes[`${address}:6443`]!}`;
  }
  writeFileSync(routesFile, JSON.stringify(routes));
  const processes = addresses.map((address) => {
    const [state, data] = ["state", "data"].map((name) => join(folder, `${address}-${name}`)) as [
      string,
      string,
    ];
    for (const path of [state, data]) mkdirSync(path);
    return startProcess({
      command: simnode,
      args: [
        ...["run", "--name", `node-${address.split(".")[3]!}`, "--address", address],
        ...["--talos", routes[`${address}:50000`]!, "--kubernetes", routes[`${address}:6443`]!],
        ...["--trustd", routes[`${address}:50001`]!, "--state", state, "--data", data],
        ...["--talos-version", "v1.13.10", "--platform", "hcloud", "--routes", routesFile],
        ...["--knobs", knobsFile(folder)],
      ],
      logFile: join(folder, `${address}.log`),
    });
  });
  return {
    endpoints,
    /** URL of the Kubernetes API, by node address. */
    kubernetes,
    turn: (knobs: Knobs) => turnKnobs(folder, { "*": knobs }),
    stop: async () => {
      await Promise.all(processes.map((process) => process.stop()));
      rmSync(folder, { recursive: true });
    },
  };
}
