/** Whatever the engine answers, a failed wait is told, and the process lives on. */
import { spawnSync } from "node:child_process";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { dockerMachines } from "../../../ops/platforms/docker/machines";
import { explained } from "../../../ops/waits/explain";
import { seen, walk } from "../../../ops/waits/wait";

jest.setTimeout(20_000);

const response = (status: string, headers: string, body = ""): string =>
  `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const ENGINES: Readonly<Record<string, (socket: Socket) => void>> = {
  resets: (socket) => socket.resetAndDestroy(),
  "answers garbage": (socket) => socket.end("\u0000\u0001 this is no HTTP\r\n\r\n"),
  "answers 404": (socket) => socket.end(response("404 Not Found", "", '{"message":"No such container"}')),
  "answers 200 with garbage": (socket) => socket.end(response("200 OK", "", "<html>hello</html>")),
  "breaks off in the answer": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc");
    setTimeout(() => socket.destroy(), 20);
  },
  "redirects to a port where nobody is": (socket) =>
    socket.end(response("301 Moved Permanently", "Location: http://127.0.0.1:1/containers\r\n")),
  hangs: () => undefined,
};

let server: Server;

afterEach(() => {
  server.close();
});

test.each(Object.keys(ENGINES))("an engine that %s", async (engine) => {
  const sockets = new Set<Socket>();
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => ENGINES[engine]!(socket));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const host = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const machines = dockerMachines({ host }, 400);
  const never = {
    name: "Kubernetes API",
    limitSeconds: 0,
    look: async () => seen({ "https://127.0.0.1:6443": "socket hang up" }),
  };
  const nodes = [{ name: "lab-controlplane-1", role: "controlplane" as const }];

  await expect(explained({ machines, nodes }, () => walk([never]))).rejects.toThrow(
    "Kubernetes API: not reached within 0 s\n  https://127.0.0.1:6443: last seen: socket hang up",
  );
  expect(await machines.inVain(["lab-controlplane-1"])).toEqual({});
  for (const socket of sockets) socket.destroy();
});

test("no error is left over that would end the process", () => {
  const program = `
    require("./bin/register.cjs");
    const { dockerMachines } = require("./ops/platforms/docker/machines.ts");
    const answers = ["HTTP/1.1 301 Moved\\r\\nLocation: http://127.0.0.1:1/x\\r\\nContent-Length: 0\\r\\n\\r\\n",
      "HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nabc", "nonsense\\r\\n\\r\\n"];
    const server = require("node:net").createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(answers.shift() ?? ""));
    }).listen(0, "127.0.0.1", async () => {
      const host = "tcp://127.0.0.1:" + server.address().port;
      const machines = dockerMachines({ host }, 400);
      for (let n = 0; n < 3; n += 1) await machines.log("https://127.0.0.1:6443", 15).catch(() => {});
      server.close();
      console.log("alive");
    });`;
  const ended = spawnSync(process.execPath, ["-e", program], {
    cwd: join(__dirname, "../../.."),
    encoding: "utf8",
  });

  expect(ended.stderr).toBe("");
  expect([ended.status, ended.stdout]).toEqual([0, "alive\n"]);
});
