/** The lab, failing in one way after the other in the same stack: the run after the last cure ends where an undisturbed one does. */
import type { Session } from "../../../rehearsal/session";
import { freeze } from "../../engine/support/broken";
import { whileChanged } from "../../engine/support/change";
import { expectConverged, machines, machinesInState } from "../../engine/support/converge";
import { failed, openStack } from "../../engine/support/open";
import { inState, madeResources } from "../../engine/support/state";

jest.setTimeout(180_000);

const SCHEMATIC = "613e1592b2da41ae5e265e8789429f22e121aab91cb4deb6bc3c0b6262961245";
const NODES = ["lab-controlplane-1", "lab-worker-1"];
const limits = { talosApi: 4, etcd: 60, kubernetesApi: 60, nodesReady: 60, coreDns: 60 };

let session: Session;

beforeAll(async () => (session = await openStack("lab", { "talos-fleet:limits": limits })));
afterAll(async () => session.close());

async function nothingCreated(): Promise<void> {
  expect(madeResources(await inState(session))).toEqual([]);
  expect(session.world.leftovers()).toEqual([]);
}

test("the factory refuses the schematic: its words, and nothing has been created", async () => {
  const body = "invalid schematic: yaml: line 3: no\n";
  session.world.factory!.faults.add({ path: /^\/schematics$/, status: 400, body });
  const text = failed(await session.up());

  expect(text).toMatch(
    /POST http:\/\/127\.0\.0\.1:\d+\/schematics: 400: invalid schematic: yaml: line 3: no/,
  );
  await nothingCreated();
});

test("the factory gives another id: the texts side by side, and nothing has been created", async () => {
  const [wrongId, wrongText] = ["f".repeat(64), "customization:\n    extraKernelArgs: []\n"];
  session.world.factory!.faults.add({ path: /^\/schematics$/, wrongId, wrongText });
  const text = failed(await session.up());

  expect(text).toContain(`schematic: ${wrongId}: the factory at http://127.0.0.1:`);
  expect(text).toContain(`gives another id than the ${SCHEMATIC} computed here; nothing has been created`);
  expect(text).toMatch(/^\s+\+ {5}extraKernelArgs: \[\]$/m);
  expect(text).toMatch(/^\s+- .*siderolabs/m);
  await nothingCreated();
});

test("the engine cannot make a container", async () => {
  const answer = { status: 500, message: "no space left on device" };
  session.world.engine!.faults.requests.push({ match: /^POST \/containers\/create/, answer, times: 1 });

  expect(failed(await session.up())).toContain("no space left on device");
  expect(machines(session)).toEqual(await machinesInState(session));
  expect(machines(session).length).toBeLessThan(2);
});

test("a node never answers: the run gives up after limits.talosApi and names it", async () => {
  const frozen = NODES.find((name) => !machines(session).includes(name)) ?? "";
  const [result, goOn] = await Promise.all([session.up(), freeze(session, frozen)]);
  goOn();

  expect(failed(result)).toContain(`${frozen}-config`);
  expect(result.stdout).not.toContain("lab-ready created");
});

test("a config that the node would refuse: told before any node is asked, with the patch it comes from", async () => {
  const patches = { workers: [{ machine: { nodeLabels: { "no label": "x" } } }] };
  const text = await whileChanged(session, { "talos-fleet:patches": patches }, async () =>
    failed(await session.up()),
  );

  expect(text).toContain("patches.workers[0]: machine.nodeLabels.no label: is not a label's name");
  expect(text).not.toContain("lab-worker-1-config");
});

test("cured, the same stack ends as an undisturbed one: everything once, etcd founded once", async () => {
  await expectConverged(session);
});
