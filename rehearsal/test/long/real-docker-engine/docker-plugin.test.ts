import { dockerClient, type DockerClient } from "../../../plugins/docker/client";
import type { JsonObject } from "../../../plugins/framework/values";
import { general, recorded, startDriver, type Driver, type Made } from "../../plugins/docker/driver";
import { onRealEngine, startRealRig, type RealRig } from "./support";

let rig: RealRig;
let client: DockerClient;
let driver: Driver;

const get = async (port: number, path = "/"): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(3000) });
  if (!response.ok) throw new Error(await response.text());
  return await response.text();
};

async function eventually<T>(action: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await action();
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const portOf = (name: "talos" | "kubernetes"): number => driver.ports.get(name === "talos" ? 50001 : 16443)!;

const worker = (port: number): JsonObject => ({
  name: "lab-worker-1",
  hostname: "lab-worker-1",
  networksAdvanced: [{ name: "lab", ipv4Address: "10.5.0.3" }],
  ports: [{ internal: 50000, external: port, ip: "127.0.0.1", protocol: "tcp" }],
  mounts: [{ type: "volume", target: "/system/state" }],
});

async function prepare(): Promise<void> {
  rig = await startRealRig();
  client = dockerClient({ host: rig.engine.host });
  driver = await startDriver(rig.engine.host);
}

async function tearDown(): Promise<void> {
  await driver.client.stop();
  await rig.end();
}

const made: Record<string, Made> = {};

/** One life of the lab's containers on the engine; each test goes on where the one before ended. */
function life(): void {
  jest.setTimeout(120_000);
  beforeAll(prepare, 180_000);
  afterAll(tearDown, 120_000);

  /** The address that the engine gives to a network's card is its own choice. */
  const others = ["networkDatas"];

  test.each(["Volume", "Network", "Container"])(
    "%s: the state after Create is the recorded one",
    async (type) => {
      made[type] = await driver.create(recorded(`${type} Create`));
      expect(general(made[type].state, others)).toEqual(
        general(driver.here(recorded(`${type} Create`).response?.["properties"]), others),
      );
    },
  );

  test.each(["Network", "Container"])("%s: Read gives the recorded state and inputs", async (type) => {
    const answer = await driver.read(made[type]!);
    const expected = recorded(`${type} Read`).response;
    expect(general(answer["properties"], others)).toEqual(
      general(driver.here(expected?.["properties"]), others),
    );
    expect(general(answer["inputs"], others)).toEqual(general(driver.here(expected?.["inputs"]), others));
  });

  test("the container has its fixed address, its published ports, and a neighbour reaches it", async () => {
    expect(made["Container"]!.state["networkDatas"]).toMatchObject([
      { ipAddress: "10.5.0.2", networkName: "lab" },
    ]);
    await eventually(() => get(portOf("talos"), "/mark"));
    expect(await get(portOf("kubernetes"))).toBe("lab-controlplane-1 marked");
    const port = driver.ports.get(50055)!;
    made["Worker"] = await driver.create(recorded("Container Create"), worker(port));
    expect(await eventually(() => get(port, "/?dial=10.5.0.2:50000"))).toBe("lab-worker-1 ");
    await driver.remove(made["Worker"]);
  });

  test("there is no shell in it", async () => {
    const { Id: exec } = await client.call<{ Id: string }>(`/containers/${made["Container"]!.id}/exec`, {
      method: "POST",
      body: { Cmd: ["sh"], AttachStdout: true, AttachStderr: true },
    });
    const text = await client.call<string>(`/exec/${exec}/start`, { method: "POST", body: {} });
    expect(text).toContain('exec: "sh": executable file not found in $PATH');
  });

  test("memory changes in place", async () => {
    const olds = (await driver.read(made["Container"]!))["properties"]!;
    const answer = await driver.update(made["Container"]!, recorded("Container Update"), olds);
    expect(general(answer["properties"], others)).toEqual(
      general(driver.here(recorded("Container Update").response?.["properties"]), others),
    );
    made["Container"] = { ...made["Container"]!, state: answer["properties"] as JsonObject };
  });

  test("after an engine restart it is there again, with address, ports and data", async () => {
    await rig.engine.restart();
    expect(await eventually(() => get(portOf("talos")))).toBe("lab-controlplane-1 marked");
    const answer = await driver.read(made["Container"]!);
    expect(general(answer["properties"], others)).toEqual(general(made["Container"]!.state, others));
    const network = await driver.read(made["Network"]!);
    const expected = recorded("Network Read").response?.["properties"];
    expect(general(network["properties"])).toEqual(general(expected));
  });

  test("killed it reads as the recorded one: no ports, need not run, to be replaced", async () => {
    await client.call(`/containers/${made["Container"]!.id}/kill`, { method: "POST" });
    const answer = await driver.read(made["Container"]!);
    const replacing = recorded("Container Diff DIFF_SOME replace");
    expect(general(answer["properties"])).toEqual(general(driver.here(replacing.request["olds"])));
    const asked = { ...(driver.here(replacing.request) as JsonObject), olds: answer["properties"]! };
    expect(await driver.client.ask("diff", asked)).toEqual(replacing.response);
  });

  test("made again on the same volumes it has its data; deleted, nothing of it is left", async () => {
    await driver.remove(made["Container"]!);
    made["Container"] = await driver.create(recorded("Container Create"));
    expect(await eventually(() => get(portOf("talos")))).toBe("lab-controlplane-1 marked");
    await driver.remove(made["Container"]);
    await driver.remove(made["Network"]!);
    const { Volumes: volumes } = await client.call<{ Volumes: { Name: string }[] }>("/volumes");
    expect(volumes.map(({ Name }) => Name).sort()).toEqual([
      "lab-controlplane-1-system-state",
      "lab-controlplane-1-var",
    ]);
    expect(await client.call("/containers/json", { query: { all: "1" } })).toEqual([]);
  });
}

onRealEngine("the docker stand-in on a real engine", life);
