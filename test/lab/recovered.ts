/** After a killed run: recover, up, and the lab is as if nothing had happened. */
import type { RealLab } from "../../rehearsal/session/real-lab-stack";
import { inState, undisturbed } from "../engine/support/state";
import { succeeded } from "../engine/support/open";
import type { KillPoint } from "./kill";
import { watchedUp } from "./kill";
import { foundings, verified } from "./support";

/** Kills an `up` at the point and throws unless `recover` and one more `up` give exactly the undisturbed lab. */
export async function killAndRecover(
  lab: RealLab,
  point: KillPoint,
  note: (line: string) => void,
): Promise<void> {
  const { code, at } = await watchedUp(lab, "lab", point);
  note(`event ${point.event} (plugins die ${point.plugins}): ${at}`);
  if (code !== 137) throw new Error(`the run was not killed: exit code ${code}`);
  note(succeeded(await lab.command(["recover", "--stack", "lab"])).stdout.trim());
  succeeded(await lab.up("lab"));

  expect(await inState(lab.session)).toEqual(undisturbed("lab"));
  expect(await lab.engineObjects()).toEqual(await wanted(lab));
  await verified(lab, "lab");
  expect(await foundings(lab, "lab-controlplane-1")).toBe(1);
  succeeded(await lab.previewEmpty("lab"));
}

const VERSION = "v1.13.10";
const OF_IMAGE = ["etc-cni", "etc-kubernetes", "opt", "usr-libexec-kubernetes"];

/** What an undisturbed lab has on the engine. */
async function wanted(lab: RealLab): Promise<string[]> {
  const nodes = Object.keys((await lab.session.outputs())["nodes"] as object);
  const volumes = ["system-state", "var", ...OF_IMAGE.map((name) => `${name}-${VERSION}`)];
  return [
    "network lab",
    ...nodes.flatMap((node) => [`container ${node}`, ...volumes.map((volume) => `volume ${node}-${volume}`)]),
  ].sort();
}
