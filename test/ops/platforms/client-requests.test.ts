/** What the client truly sends, to engines on loopback. */
import { spawnSync } from "node:child_process";
import * as http from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { dockerClient } from "../../../ops/platforms/docker/client";
import { startSsh } from "./ssh-server";

interface Engine {
  readonly asked: string[];
  readonly port: number;
  readonly close: () => void;
}

async function engine(): Promise<Engine> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.headers.host ?? ""} ${request.url ?? ""}`);
    response.setHeader("content-type", "application/json").end("[]");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { asked, port: (server.address() as AddressInfo).port, close: () => server.close() };
}

const from = "docker.host";
let running: Engine;
beforeEach(async () => {
  running = await engine();
});
afterEach(() => running.close());

test("an API below a path is asked there, as Docker's own client does", async () => {
  const host = `tcp://127.0.0.1:${running.port}`;

  await dockerClient({ host: `${host}/engines/one`, from }).listContainers({ all: true });
  await dockerClient({ host: `${host}/`, from }).listNetworks();

  expect(running.asked.map((line) => line.split(" ")[1])).toEqual([
    "/engines/one/containers/json?all=true",
    "/networks",
  ]);
});

test("an engine behind a real SSH server answers, request after request", async () => {
  const ssh = await startSsh(running.port);
  try {
    const docker = dockerClient({ host: `ssh://a%40b@127.0.0.1:${ssh.port}`, from });

    expect(await docker.listContainers({ all: true })).toEqual([]);
    expect(await docker.listNetworks()).toEqual([]);
  } finally {
    ssh.close();
  }

  expect(ssh.seen).toEqual(Array(2).fill("a@b: docker system dial-stdio"));
  expect(running.asked.map((line) => line.split(" ")[1])).toEqual(["/containers/json?all=true", "/networks"]);
});

test("an engine behind SSH that never answers is given up", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const ssh = await startSsh((silent.address() as AddressInfo).port);
  try {
    const host = `ssh://me@127.0.0.1:${ssh.port}`;

    await expect(dockerClient({ host, from }, 500).info()).rejects.toThrow(/socket hang up|did not end/);
  } finally {
    ssh.close();
    silent.close();
  }
});

test.each([
  "ssh://me@127.0.0.1:1",
  "ssh://me@[::1]:1",
  "ssh://me@localhost:1",
  "tcp://[::1]:1",
  "tcp://127.0.0.1:1",
])("%s: an engine that is not there says so, and Node warns of nothing", (host) => {
  const file = join(__dirname, "../../../ops/platforms/docker/client");
  const program = `require(${JSON.stringify(file)}).dockerClient({ host: ${JSON.stringify(host)}, from: "" })
      .info().catch((error) => console.log(error.message || error.errors.map((each) => each.message).join()))`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--require", "tsx/cjs", "-e", program], {
    encoding: "utf8",
  });

  expect(stderr).toBe("");
  expect(stdout).toMatch(/connect (ECONNREFUSED|EADDRNOTAVAIL)/);
});
