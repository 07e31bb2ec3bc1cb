/** `make test-real` as a whole, on the simulated engine: every step that can be tried passes, and nothing is left. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { stringify } from "yaml";

import { startEngine } from "../../../rehearsal/docker-engine";
import { startFactory } from "../../../rehearsal/image-factory";
import { freePortRange } from "../../../rehearsal/session/ports";
import { runCommand } from "../../../rehearsal/session/run";
import { provideTools } from "../../../rehearsal/tools";
import { checkout } from "../../lab/support";

jest.setTimeout(600_000);

type Engine = Awaited<ReturnType<typeof startEngine>>;

let dir: string;
let engine: Engine;
let factory: Awaited<ReturnType<typeof startFactory>>;
let restart: { command: string; stop: () => void };

/** Somebody on the engine's machine who restarts it when told. */
async function restarter(of: Engine): Promise<typeof restart> {
  const server = createServer((socket) => void of.restartEngine().then(() => socket.end("done")));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const script = `require("net").connect(${port},"127.0.0.1").on("data",()=>process.exit(0))`;
  return { command: `'${process.execPath}' -e '${script}'`, stop: () => server.close() };
}

beforeAll(async () => {
  dir = mkdtempSync("/tmp/tf-real-");
  const tools = await provideTools(checkout, (line) => void process.stderr.write(`${line}\n`));
  engine = await startEngine({ dir: join(dir, "e"), simnode: tools.simnode.path });
  factory = await startFactory({});
  restart = await restarter(engine);
});

afterAll(async () => {
  restart.stop();
  await engine.stop();
  await factory.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A stack file that lies elsewhere, with a patch beside it, as somebody with a slow engine has one. */
async function stackFile(keys: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const talosPort = await freePortRange(10);
  const config = {
    platform: "docker",
    clusterName: "mine",
    talosVersion: "v1.13.10",
    kubernetesVersion: "1.35.8",
    talosContract: "v1.13",
    factoryUrl: factory.url,
    schematic: "factory/schematic.yaml",
    controlPlanes: { count: 1 },
    workers: [{ name: "worker", count: 1 }],
    patches: {
      all: ["own.patch.yaml"],
      nodes: { "mine-worker-1": [{ machine: { nodeLabels: { one: "1" } } }] },
    },
    docker: { host: engine.host, talosPort, kubernetesPort: talosPort + 9, subnet: "10.7.0.0/24" },
    ...keys,
  };
  writeFileSync(join(dir, "own.patch.yaml"), 'machine:\n  sysctls:\n    net.core.somaxconn: "4096"\n');
  const named = Object.entries(config).map(([key, value]) => [`talos-fleet:${key}`, value]);
  const file = join(dir, "Pulumi.slow.yaml");
  writeFileSync(file, stringify({ config: Object.fromEntries(named) as unknown }));
  return file;
}

async function testReal(file: string, env: Readonly<Record<string, string>> = {}) {
  const args = ["--require", join(checkout, "bin/register.cjs"), join(checkout, "test/real/main.ts")];
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const result = await runCommand(
    {
      command: process.execPath,
      args,
      cwd: checkout,
      env: { ...(Object.fromEntries(own) as Record<string, string>), STACK_FILE: file, ...env },
    },
    { timeoutMs: 550_000 },
  );
  return { ...result, results: resultsOf(result.stdout) };
}

/** `[  0:12] passed: verify: 30 of 30 pass` */
const resultsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^\[ *\d+:\d\d\] (passed|FAILED|not tried): ([^:]+):/gm)].map(([, result, name]) => [
      name ?? "",
      result ?? "",
    ]),
  );

const STEPS = [
  ...["preflight", "up", "verify", "second up is empty", "live patch", "refused change"],
  ...["killed container", "removed container", "engine restart", "down to nothing"],
];

describe("a life", () => {
  let life: Awaited<ReturnType<typeof testReal>>;
  beforeAll(async () => {
    life = await testReal(await stackFile(), { ENGINE_RESTART: restart.command });
  });

  test("every step passes", () => {
    const tried = Object.fromEntries(STEPS.map((name) => [name, life.results[name]]));
    const passed = Object.fromEntries(STEPS.map((name) => [name, "passed"]));
    if (JSON.stringify(tried) !== JSON.stringify(passed))
      process.stderr.write(`${life.stdout}${life.stderr}`);
    expect(tried).toEqual(passed);
  });

  test("a secret in a change that is refused is not shown", () => {
    expect(life.results["secret in a refusal"]).toBe("passed");
  });

  test("what stands in is named, and the exit code says whether a step failed", () => {
    expect(life.results["the real plugin docker"]).toBe("not tried");
    expect(life.stdout).toContain(
      "not tried: the real plugin docker, because it is not installed: a stand-in serves it",
    );
    expect(life.code).toBe(Object.values(life.results).includes("FAILED") ? 1 : 0);
    expect(life.stdout).not.toContain("c4n4ry");
  });

  test("nothing is left on the engine or beside the stack file", () => {
    expect(engine.world.containers.size).toBe(0);
    expect(engine.world.volumes.size).toBe(0);
    expect(readdirSync(dir).sort()).toEqual(["Pulumi.slow.yaml", "e", "own.patch.yaml"]);
  });
});

test("an engine that cannot run a lab: preflight fails, the rest is named, exit code 1", async () => {
  const file = await stackFile({ docker: { host: `unix://${dir}/none.sock` } });
  const { code, results, stdout } = await testReal(file);
  expect(code).toBe(1);
  expect(results["preflight"]).toBe("FAILED");
  expect(results["up"]).toBe("not tried");
  expect(stdout).toContain('not tried: verify, because "up" did not pass');
});
