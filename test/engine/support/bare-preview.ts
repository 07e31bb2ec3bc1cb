/** `bare-preview.ts STACK OVERRIDES TOOLS` (both JSON): previews with nothing behind them, for a network namespace of their own. */
import { resolve } from "node:path";

import { openSession } from "../../../rehearsal/session";
import type { RunResult, StackName } from "../../../rehearsal/session";
import type { Tools } from "../../../rehearsal/tools";
import { bareWorld } from "./bare-world";

/** The same preview twice: in JSON for its steps, as text for its outputs. */
export interface BarePreviews {
  readonly json: RunResult;
  readonly text: RunResult;
}

async function main([stack, overrides, tools]: readonly string[]): Promise<BarePreviews> {
  const session = await openSession(
    {
      stack: stack as StackName,
      root: resolve(__dirname, "../../.."),
      tools: JSON.parse(tools ?? "") as Tools,
      overrides: JSON.parse(overrides ?? "{}") as Record<string, unknown>,
    },
    bareWorld,
  );
  try {
    return { json: await session.preview({ json: true }), text: await session.preview() };
  } finally {
    await session.close();
  }
}

main(process.argv.slice(2)).then(
  (previews) => void process.stdout.write(JSON.stringify(previews)),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  },
);
