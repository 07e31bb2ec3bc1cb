import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import {
  buildNodeImage,
  realEngineRefusal,
  startRealEngine,
  type RealEngine,
} from "../../../real-docker-engine";
import { onPath } from "../../../../toolchain/installed";
import { TALOS_IMAGE } from "../../docker-engine/support";

export interface RealRig {
  readonly engine: RealEngine;
  readonly socket: string;
  /** Ends the engine; throws when it leaves a file. */
  end(): Promise<void>;
}

/** A Docker engine of this test's own, with an image named like the Talos one that holds `init/main.go`. */
export async function startRealRig(): Promise<RealRig> {
  const dir = mkdtempSync("/tmp/tf-engine-");
  const init = join(dir, "init");
  const env = { ...process.env, CGO_ENABLED: "0" };
  execFileSync(onPath("go") ?? "go", ["build", "-o", init, join(__dirname, "init", "main.go")], { env });
  const engine = await startRealEngine({ dir: join(dir, "e") });
  await buildNodeImage({ host: engine.host, simnode: init, reference: TALOS_IMAGE });
  return {
    engine,
    socket: engine.host.slice("unix://".length),
    end: async () => {
      await engine.stop();
      const left = readdirSync(join(dir, "e"));
      rmSync(dir, { recursive: true, force: true });
      if (left.length > 0) throw new Error(`the engine leaves ${left.join(", ")}`);
    },
  };
}

/** Runs the tests where an engine can be started; in CI it must be one, elsewhere the reason is told. */
export function onRealEngine(title: string, tests: () => void): void {
  const refusal = realEngineRefusal();
  if (refusal === undefined) describe(title, tests);
  else if (process.env["CI"] === "true") {
    test(title, () => {
      throw new Error(`no Docker engine can be started here: ${refusal}`);
    });
  } else test.skip(`${title}: did not run, ${refusal}`, () => undefined);
}
