/** SIGKILL at ten moments of an `up` of the lab on a real engine. */
import { pointsOf, seedOfRun, watchedUp } from "../../lab/kill";
import { killAndRecover } from "../../lab/recovered";
import { startLabRig, type LabRig } from "../../lab/support";
import { onRealEngine } from "../../../rehearsal/test/long/real-docker-engine/support";

const seed = seedOfRun();
const POINTS = 10;

let rig: LabRig;
let events: number;

function kills(): void {
  jest.setTimeout(180_000);
  beforeAll(async () => {
    rig = await startLabRig(["v1.13.10"]);
    const undisturbed = await watchedUp(rig.lab, "lab");
    expect(undisturbed.code).toBe(0);
    ({ events } = undisturbed);
    process.stderr.write(`an undisturbed up has ${events} events\n`);
  }, 300_000);
  afterAll(() => rig.end());

  beforeEach(async () => {
    expect((await rig.lab.destroy("lab")).code).toBe(0);
    expect(await rig.lab.engineObjects()).toEqual([]);
  });

  test.each(Array.from({ length: POINTS }, (_, index) => index + 1))(
    `moment %i of ${POINTS}: recover and up give one cluster, nothing twice (TEST_SEED=${seed})`,
    async (moment) => {
      const point = pointsOf(seed, POINTS, events)[moment - 1];
      await killAndRecover(rig.lab, point!, (line) => void process.stderr.write(`${line}\n`));
    },
  );
}

onRealEngine("killed runs of the lab on a real engine", kills);
