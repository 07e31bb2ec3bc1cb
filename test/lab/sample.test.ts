/** A real Docker engine in `make test`: one life of the lab, with a run that is killed at a seeded moment. */
import { onRealEngine } from "../../rehearsal/test/long/real-docker-engine/support";
import { pointsOf, seedOfRun } from "./kill";
import { killAndRecover } from "./recovered";
import { startLabRig, type LabRig } from "./support";

const seed = seedOfRun();
/** Fewer than a whole run has, so that the point is always reached. */
const EVENTS = 90;

let rig: LabRig;

function sample(): void {
  jest.setTimeout(120_000);
  beforeAll(async () => {
    rig = await startLabRig(["v1.13.10"]);
  }, 300_000);
  afterAll(() => rig.end());

  test(`an up that is killed, recover, up: one cluster, nothing twice (TEST_SEED=${seed})`, async () => {
    const [point] = pointsOf(seed, 1, EVENTS);
    await killAndRecover(rig.lab, point!, (line) => void process.stderr.write(`${line}\n`));
  });

  test("destroy leaves nothing on the engine", async () => {
    expect((await rig.lab.destroy("lab")).code).toBe(0);
    expect(await rig.lab.engineObjects()).toEqual([]);
  });
}

onRealEngine("the lab on a real engine", sample);
