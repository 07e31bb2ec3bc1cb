import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { parseExecCreate, parseExecStart } from "./bodies";
import { EngineError, frame, isTrue, route, type Call, type Reply, type Route } from "./http";
import { findContainer, isRunning, newId, type EngineContainer, type World } from "./world";

const FOLLOW_MS = 50;
const LOG_TYPE = "application/octet-stream";
const RAW_TYPE = "application/vnd.docker.raw-stream";

const consoleOf = (container: EngineContainer): Buffer => {
  const file = join(container.folder, "console.log");
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
};

function lastLines(text: Buffer, tail: string | null): Buffer {
  if (tail === null || tail === "all" || tail === "") return text;
  const count = Number(tail);
  const lines = text.toString("utf8").split("\n");
  const complete = lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  const wanted = count <= 0 ? [] : complete.slice(-count);
  return Buffer.from(wanted.map((line) => `${line}\n`).join(""));
}

async function writeLogs(
  container: EngineContainer,
  { query, signal }: Call,
  out: NodeJS.WritableStream,
): Promise<void> {
  const write = (data: Buffer): void => {
    if (data.length > 0) out.write(container.config.Tty === true ? data : frame(1, data));
  };
  let seen = consoleOf(container);
  if (isTrue(query.get("stdout"))) write(lastLines(seen, query.get("tail")));
  while (isTrue(query.get("follow")) && isRunning(container) && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
    const text = consoleOf(container);
    write(text.subarray(seen.length));
    seen = text;
  }
}

function logs(container: EngineContainer, call: Call): Reply {
  if (!isTrue(call.query.get("stdout")) && !isTrue(call.query.get("stderr"))) {
    throw new EngineError(400, "Bad parameters: you must choose at least one stream");
  }
  return { status: 200, type: LOG_TYPE, write: (out) => writeLogs(container, call, out) };
}

function createExec(world: World, container: EngineContainer, body: unknown): string {
  if (!isRunning(container)) throw new EngineError(409, `Container ${container.id} is not running`);
  const command = parseExecCreate(body).Cmd ?? [];
  if (command.length === 0) throw new EngineError(400, "No exec command specified");
  const id = newId();
  world.execs.set(id, { container, command, exitCode: null });
  return id;
}

function findExec(world: World, id: string) {
  const found = world.execs.get(id);
  if (found === undefined) throw new EngineError(404, `No such exec instance: ${id}`);
  return found;
}

/** A Talos image holds no shell and no tools, so every command fails as runc reports it. */
function startExec(world: World, { params, body }: Call): Reply {
  const exec = findExec(world, params["id"] ?? "");
  const [file = ""] = exec.command;
  const reason = file.includes("/")
    ? `stat ${file}: no such file or directory`
    : "executable file not found in $PATH";
  const text = `OCI runtime exec failed: exec failed: unable to start container process: exec: "${file}": ${reason}: unknown`;
  exec.exitCode = 126;
  const { Detach: detached, Tty: raw } = parseExecStart(body);
  if (detached === true) throw new EngineError(400, text);
  const words = Buffer.from(`${text}\r\n`);
  return {
    status: 200,
    type: RAW_TYPE,
    write: async (out) => void out.write(raw === true ? words : frame(1, words)),
  };
}

const inspectExec = (world: World, id: string) => {
  const { container, command, exitCode } = findExec(world, id);
  return {
    ID: id,
    Running: false,
    ExitCode: exitCode,
    ProcessConfig: {
      tty: false,
      entrypoint: command[0] ?? "",
      arguments: command.slice(1),
      privileged: false,
    },
    ContainerID: container.id,
    Pid: 0,
  };
};

export const streamRoutes = (world: World): Route[] => [
  route("GET", "/containers/:id/logs", (call) => logs(findContainer(world, call.params["id"] ?? ""), call)),
  route("POST", "/containers/:id/exec", (call) => ({
    status: 201,
    json: { Id: createExec(world, findContainer(world, call.params["id"] ?? ""), call.body) },
  })),
  route("POST", "/exec/:id/start", (call) => startExec(world, call)),
  route("GET", "/exec/:id/json", ({ params }) => ({
    status: 200,
    json: inspectExec(world, params["id"] ?? ""),
  })),
];
