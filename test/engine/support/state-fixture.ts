/**
 * A state of each stack, exported once from a rehearsal by `npm run export-states`: what people have on their disks. Nothing
 * that is secret anywhere else is in it: the cluster lived for seconds, and its passphrase stands beside it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";

import { openSession, type StackName } from "../../../rehearsal/session";
import { startStackWorld } from "../../../rehearsal/session/stack-worlds";
import { merge } from "../../../rehearsal/session/stack-file";
import type { StartWorld, World } from "../../../rehearsal/session/world";
import { bareWorld } from "./bare-world";
import { checkout, engineTools, succeeded } from "./open";

interface StateFixture {
  readonly passphrase: string;
  readonly overrides: World["overrides"];
  readonly secrets: World["secrets"];
  readonly state: unknown;
}

const fileOf = (stack: StackName): string => join(checkout, `test/engine/fixtures/${stack}.json`);

/** Where the lab's engine is said to be, at export and ever after. */
const ENGINE_PORT = 42375;
const engineKeys = { "talos-fleet:docker": { host: `tcp://127.0.0.1:${ENGINE_PORT}` } };

const listening = <T extends Server>(server: T): Promise<T> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(ENGINE_PORT, "127.0.0.1", () => resolve(server));
  });

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** The simulated world, its engine also at a port that a later run can name. */
const worldAtPort: StartWorld = async (context) => {
  const world = await startStackWorld(context);
  const socketPath = world.engine?.host.replace(/^unix:\/\//, "");
  if (socketPath === undefined) return world;
  const forwarder = await listening(
    createServer((client) => {
      const engine = connect(socketPath);
      client.pipe(engine).pipe(client);
      for (const socket of [client, engine]) socket.on("error", () => client.destroy());
    }),
  );
  return {
    ...world,
    overrides: merge(world.overrides, engineKeys) as World["overrides"],
    stop: async () => {
      await world.stop();
      forwarder.close();
    },
  };
};

export async function exportState(stack: StackName): Promise<void> {
  const passphrase = "a rehearsal's, for everybody to read";
  const tools = await engineTools();
  const session = await openSession({ stack, root: checkout, tools, passphrase }, worldAtPort);
  try {
    succeeded(await session.up());
    const { overrides, secrets } = session.world;
    const fixture: StateFixture = { passphrase, overrides, secrets, state: await session.exportState() };
    writeFileSync(fileOf(stack), `${JSON.stringify(fixture)}\n`);
    succeeded(await session.unprotect());
    succeeded(await session.destroy());
  } finally {
    await session.close();
  }
}

/** Plugins and nothing behind them but something that answers where the engine was. */
const worldOf =
  ({ overrides, secrets }: StateFixture): StartWorld =>
  async (context) => {
    const world = await bareWorld(context);
    if (context.stack !== "lab") return { ...world, overrides, secrets };
    const engine = await listening(createHttpServer((_, response) => response.end("OK")));
    return { ...world, overrides, secrets, stop: async () => closed(engine) };
  };

/** What a preview of this checkout's program says of the exported state, as JSON. */
export async function previewOfExported(stack: StackName) {
  const fixture = JSON.parse(readFileSync(fileOf(stack), "utf8")) as StateFixture;
  const { passphrase } = fixture;
  const tools = await engineTools();
  const session = await openSession({ stack, root: checkout, tools, passphrase }, worldOf(fixture));
  try {
    succeeded(await session.pulumi(["stack", "import"], { stdin: JSON.stringify(fixture.state) }));
    return succeeded(await session.preview({ json: true }));
  } finally {
    await session.close();
  }
}
