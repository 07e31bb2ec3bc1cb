import type { startEngine } from "../docker-engine";
import type { startFactory } from "../image-factory";
import type { startHetzner } from "../hetzner";
import type { ServedPlugins } from "../plugins/framework/serve";
import type { Tools } from "../tools";
import type { StackName } from "./types";

type Factory = Awaited<ReturnType<typeof startFactory>>;
export type Engine = Awaited<ReturnType<typeof startEngine>>;
export type Hetzner = Awaited<ReturnType<typeof startHetzner>>;

/** What a session gives to the parts that it starts. */
export interface WorldContext {
  readonly root: string;
  readonly stack: StackName;
  readonly tools: Tools;
  /** Private folder for sockets and node state. */
  readonly folder: string;
}

/** Where plugins run: as if Pulumi had started them. */
export interface PluginPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of plugins that Pulumi starts by itself. */
  readonly except: readonly string[];
}

/** The simulated world of one stack. */
export interface World {
  readonly factory?: Factory;
  readonly engine?: Engine;
  readonly hetzner?: Hetzner;
  /** Stack keys that point the program at this world: addresses only. */
  readonly overrides: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly servePlugins: (place: PluginPlace) => Promise<ServedPlugins>;
  /** Things that the stack made and that are still there: `server fleet-worker-1`. Empty after a destroy. */
  readonly leftovers: () => readonly string[];
  stop(): Promise<void>;
}

export type StartWorld = (context: WorldContext) => Promise<World>;

/** Stops all parts, the last first; one that fails does not keep the others running. */
export async function stopAll(parts: readonly { stop(): Promise<void> }[]): Promise<void> {
  const failures: unknown[] = [];
  for (const part of [...parts].reverse()) {
    await part.stop().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `stopping the rehearsal: ${failures.map(String).join("; ")}`);
}
