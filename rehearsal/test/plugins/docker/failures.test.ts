import type { JsonObject } from "../../../plugins/framework/values";
import type { Recording } from "../../support/recordings";
import { startRig, type Rig } from "../../docker-engine/support";
import { failure, recorded, startDriver, type Driver } from "./driver";

let rig: Rig;
let driver: Driver;

beforeEach(async () => {
  rig = await startRig();
  driver = await startDriver(rig.engine.host);
});

afterEach(async () => {
  await driver.client.stop();
  await rig.end();
});

describe("failures have the real plugin's words", () => {
  /** What of a text is another run's: container ids. */
  const words = (text: string): string =>
    text.replace(/[0-9a-f]{64}/g, "ID").replace(/^(rpc error: code = Unknown desc = |2 UNKNOWN: )/, "");

  const failed = async (recording: Recording): Promise<string> =>
    words(
      await driver.client.ask("create", driver.here(recording.request) as JsonObject).then(
        () => "no failure",
        (error: unknown) => (error as Error).message,
      ),
    );

  test("overlapping networks", async () => {
    await rig.call("POST", "/networks/create", {
      Name: "ea",
      IPAM: { Config: [{ Subnet: "10.99.0.0/24" }] },
    });
    const overlap = failure("docker-network-overlap");
    expect(await failed(overlap)).toBe(words(overlap.errors![0]!));
  });

  test("name taken: never adopted", async () => {
    const taken = failure("docker-name-taken");
    await driver.client.ask("create", taken.request);
    expect(await failed(taken)).toBe(words(taken.errors![0]!));
  });

  test("port taken: the container stays in the state and goes with it", async () => {
    const recording = failure("docker-port-taken");
    const taken = { ...recording, request: driver.here(recording.request) as JsonObject };
    const properties = { ...(taken.request["properties"] as JsonObject), name: "ea" };
    await driver.client.ask("create", { ...taken.request, properties });
    expect(await failed(taken)).toBe(
      words(taken.errors![0]!).replace("50055", String(driver.ports.get(50055)!)),
    );
    const half = (await rig.call("GET", "/containers/eb/json")).json as { State: { Status: string } };
    expect(half.State.Status).toBe("created");
  });

  test("a container that does not start", async () => {
    const broken = failure("docker-exits-at-once");
    expect(await failed(broken)).toBe(words(broken.errors![0]!));
  });

  test("an image that nobody has", async () => {
    const missing = failure("docker-image-missing");
    expect(await failed(missing)).toBe(words(missing.errors![0]!));
  });

  test("a container that ends at once is removed again", async () => {
    rig.engine.faults.exitAtOnce.add("lab-controlplane-1");
    await driver.create(recorded("Network Create"));
    const recording = recorded("Container Create");
    const properties = { ...(recording.request["properties"] as JsonObject), restart: "no" };
    expect(await failed({ ...recording, request: { ...recording.request, properties } })).toContain(
      "container exited immediately",
    );
    expect(rig.engine.world.containers.size).toBe(0);
  });

  test("no network pair", async () => {
    rig.engine.faults.noVeth.add("lab-controlplane-1");
    await driver.create(recorded("Network Create"));
    expect(await failed(recorded("Container Create"))).toContain(
      "Unable to start container: Error response from daemon: failed to create endpoint lab-controlplane-1 on network lab: failed to add the host",
    );
  });
});
