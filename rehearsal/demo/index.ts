import { demonstrate } from "./stack";
import type { Say } from "./steps";
import { openSession } from "../session";
import type { Session, StackName } from "../session";
import type { Tool } from "../../toolchain";
import { provideTools } from "../tools";
import type { Tools } from "../tools";

export interface DemoOptions {
  /** The checkout. */
  readonly root: string;
  readonly say: Say;
  readonly stacks?: readonly StackName[];
}

const TITLE: Readonly<Record<StackName, string>> = {
  lab: "two containers on a simulated Docker engine",
  hetzner: "seventeen servers in a simulated Hetzner Cloud account",
};

const origin = ({ version, origin: from }: Tool): string =>
  `${version}, ${from === "built" ? "built from its published Go module" : "installed here"}`;

function introduce(tools: Tools, say: Say): void {
  say(
    "talos-fleet demo: the real program on the real Pulumi engine, on loopback, with nothing real behind it.",
  );
  say(`  real       pulumi ${origin(tools.pulumi)}; talosctl ${origin(tools.talosctl)}`);
  say(
    `  stands in  ${tools.languageHost.origin === "built" ? "Pulumi's Node language host; " : ""}Docker, Hetzner Cloud, the Image Factory and the Talos nodes`,
  );
}

function sayPlugins(session: Session, say: Say): void {
  const real = session.realPlugins.length === 0 ? "none installed here" : session.realPlugins.join(", ");
  say(
    `  plugins: ${real === "none installed here" ? "all stand in" : `real: ${real}; the others stand in`}; public addresses and ports are on 127.0.0.0/8`,
  );
}

async function rehearse(stack: StackName, tools: Tools, { root, say }: DemoOptions): Promise<void> {
  say("");
  say(`━━ ${stack}: ${TITLE[stack]} ${"━".repeat(Math.max(3, 60 - stack.length - TITLE[stack].length))}`);
  const session = await openSession({ stack, root, tools });
  try {
    sayPlugins(session, say);
    await demonstrate(session, say);
  } catch (error) {
    say(`  log: ${session.keepLog()}`);
    throw error;
  } finally {
    await session.close();
  }
  const left = session.leftovers();
  if (left.length > 0)
    throw new Error(
      `processes left after the ${stack} rehearsal: ${left.map(({ command }) => command).join("; ")}`,
    );
}

/** Runs the demo; gives the exit code. Says everything, failures included, through `say`. */
export async function runDemo(options: DemoOptions): Promise<number> {
  const { root, say, stacks = ["lab", "hetzner"] } = options;
  const tools = await provideTools(root, say);
  introduce(tools, say);
  const started = performance.now();
  for (const stack of stacks) {
    try {
      await rehearse(stack, tools, options);
    } catch (error) {
      say("");
      say(`✘ ${stack}: ${error instanceof Error ? error.message : String(error)}`);
      return 1;
    }
  }
  say("");
  say(
    `✔ ${stacks.join(" and ")}: done in ${((performance.now() - started) / 1000).toFixed(0)} s, nothing left behind`,
  );
  return 0;
}
