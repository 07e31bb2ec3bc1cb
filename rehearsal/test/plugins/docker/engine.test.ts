import type { JsonObject } from "../../../plugins/framework/values";
import { dial, eventually, inspectContainer, startRig, type Rig } from "../../docker-engine/support";
import { general, recorded, startDriver, type Driver, type Made } from "./driver";

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

const createNetwork = (): Promise<Made> => driver.create(recorded("Network Create"));
const createContainer = (change?: JsonObject): Promise<Made> =>
  driver.create(recorded("Container Create"), change);
const answered = (call: string, part: "properties" | "inputs" = "properties") =>
  driver.here(recorded(call).response?.[part]);

describe("what the state holds after Create is what the real plugin puts there", () => {
  test.each(["Volume Create", "RemoteImage Create", "Network Create"])("%s", async (call) => {
    const { state } = await driver.create(recorded(call));
    expect(general(state)).toEqual(general(answered(call)));
  });

  test("Container Create", async () => {
    await createNetwork();
    const { state } = await createContainer();
    expect(general(state)).toEqual(general(answered("Container Create")));
    await eventually(() => dial(driver.ports.get(50001)!));
  });

  test("the calls come in the plugin's order", async () => {
    await createNetwork();
    const before = rig.engine.requests.length;
    const { id } = await createContainer();
    const calls = rig.engine.requests
      .slice(before)
      .map(({ method, path }) => `${method} ${path.replace(id, "ID")}`);
    expect(calls).toEqual([
      "GET /images/ghcr.io/siderolabs/talos:v1.13.10/json",
      "POST /containers/create",
      "POST /networks/bridge/disconnect",
      "POST /networks/lab/connect",
      "POST /containers/ID/start",
      "GET /containers/ID/json",
    ]);
  });
});

describe("what Read gives back", () => {
  test.each(["Volume", "RemoteImage", "Network"])("%s", async (type) => {
    const made = await driver.create(recorded(`${type} Create`));
    const answer = await driver.read(made);
    const other = type === "Volume" ? ["name"] : [];
    expect(general(answer["properties"], other)).toEqual(general(answered(`${type} Read`), other));
    expect(general(answer["inputs"], other)).toEqual(general(answered(`${type} Read`, "inputs"), other));
  });

  test("Container", async () => {
    await createNetwork();
    const answer = await driver.read(await createContainer());
    expect(general(answer["properties"])).toEqual(general(answered("Container Read")));
    expect(general(answer["inputs"])).toEqual(general(answered("Container Read", "inputs")));
  });

  test("a stopped container has lost its ports and need not run, and that replaces it", async () => {
    await createNetwork();
    const made = await createContainer();
    await rig.call("POST", `/containers/${made.id}/kill`);
    await eventually(async () => ((await inspectContainer(rig, made.id)).State.Running ? undefined : true));
    const answer = await driver.read(made);
    const replacing = recorded("Container Diff DIFF_SOME replace");
    const other = ["memory", "memorySwap"];
    expect(general(answer["properties"], other)).toEqual(
      general(driver.here(replacing.request["olds"]), other),
    );
    const diff = await driver.client.ask("diff", {
      ...(driver.here(replacing.request) as JsonObject),
      olds: { ...(answer["properties"] as JsonObject), memory: 3072, memorySwap: 6144 },
    });
    expect(diff).toEqual(replacing.response);
  });

  test.each(["Network", "Volume", "Container"])("%s that is gone is gone", async (type) => {
    if (type === "Container") await createNetwork();
    const made = await driver.create(recorded(`${type} Create`));
    const path = { Network: "networks", Volume: "volumes", Container: "containers" }[type]!;
    await rig.call("DELETE", `/${path}/${made.id}?force=1`);
    expect(await driver.read(made)).toEqual({});
  });
});

describe("Update", () => {
  test("memory changes in place, and the state is the real plugin's", async () => {
    await createNetwork();
    const made = await createContainer();
    const olds = (await driver.read(made))["properties"]!;
    const answer = await driver.update(made, recorded("Container Update"), olds);
    expect(general(answer["properties"])).toEqual(general(answered("Container Update")));
    expect((await inspectContainer(rig, made.id)).HostConfig.Memory).toBe(3072 * 2 ** 20);
  });

  test("a stopped container without ports is started again", async () => {
    const ports = { ports: [], networksAdvanced: [], mounts: [] };
    const made = await createContainer(ports);
    await rig.call("POST", `/containers/${made.id}/stop?t=1`);
    const olds = (await driver.read(made))["properties"]!;
    await driver.client.ask("update", { ...made.request, id: made.id, olds, news: made.inputs });
    expect((await inspectContainer(rig, made.id)).State.Running).toBe(true);
  });
});

describe("Delete", () => {
  test("the container is stopped with its grace, and its anonymous volumes go with it", async () => {
    const network = await createNetwork();
    const made = await createContainer();
    await driver.remove(made);
    await driver.remove(network);
    expect(rig.engine.requests).toContainEqual({ method: "POST", path: `/containers/${made.id}/stop` });
    expect([...rig.engine.world.volumes.keys()].sort()).toEqual([
      "lab-controlplane-1-system-state",
      "lab-controlplane-1-var",
    ]);
    expect(rig.engine.world.containers.size).toBe(0);
  });

  test("an image that is kept locally stays, another goes", async () => {
    const kept = await driver.create(recorded("RemoteImage Create"));
    await driver.remove(kept);
    expect(rig.engine.world.images.size).toBe(1);
    await driver.remove({ ...kept, state: { ...kept.state, keepLocally: false } });
    expect(rig.engine.world.images.size).toBe(0);
  });

  test("a volume that went by itself is no failure", async () => {
    const volume = await driver.create(recorded("Volume Create"));
    await rig.call("DELETE", `/volumes/${volume.id}`);
    expect(await driver.remove(volume)).toEqual({});
  });
});
