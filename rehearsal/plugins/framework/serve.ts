/** Serves plugin stand-ins where Pulumi attaches to running plugins (PULUMI_DEBUG_PROVIDERS). */
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { pulumiLog } from "./pulumi-log";
import { providerService, type Running } from "./service";
import type { PluginStandIn } from "./types";

export interface ServedPlugins {
  /** The value of PULUMI_DEBUG_PROVIDERS: `hcloud:PORT,talos:PORT`. */
  readonly debugProviders: string;
  /** Aborts what is under way and closes the ports. */
  stop(): Promise<void>;
}

/** As large as Pulumi's own limit, in bytes. */
const maxMessage = 400 * 1024 * 1024;

async function serveOne(standIn: PluginStandIn): Promise<{ port: number; stop: () => void }> {
  const running: Running = { log: pulumiLog(), calls: new Set() };
  const server = new Server({
    "grpc.max_receive_message_length": maxMessage,
    "grpc.max_send_message_length": maxMessage,
  });
  server.addService(ResourceProviderService, providerService(standIn, running));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  const stop = () => {
    for (const call of running.calls) call.abort(new Error("the rehearsal has ended"));
    server.forceShutdown();
    running.log.close();
  };
  return { port, stop };
}

/** One server a plugin, on ports of 127.0.0.1 that the system picks. */
export async function servePlugins(plugins: readonly PluginStandIn[]): Promise<ServedPlugins> {
  const served = await Promise.all(
    plugins.map(async (standIn) => ({ name: standIn.name, ...(await serveOne(standIn)) })),
  );
  return {
    debugProviders: served.map(({ name, port }) => `${name}:${port}`).join(","),
    stop: async () => {
      for (const { stop } of served) stop();
    },
  };
}
