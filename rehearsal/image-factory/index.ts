import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { dialectOfServer } from "../../factory/dialects";
import type { Dialect } from "../../factory/types";
import { type Answer, json } from "./answers";
import { type Catalogue, defaultCatalogue } from "./catalogue";
import { type FactoryFault, FactoryFaults } from "./faults";
import { answer, type FactoryState } from "./routes";

export interface FactoryOptions {
  /** Release that is simulated: `v1.5.0` (default). */
  readonly release?: string;
  /** The YAML library's dialect; default: that of the release. */
  readonly dialect?: Dialect;
  /** The `Server` header; default `Image Factory <release>`. */
  readonly server?: string;
  readonly catalogue?: Partial<Catalogue>;
  readonly faults?: readonly FactoryFault[];
}

interface FactoryLogEntry {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** The status answered; undefined when a fault left it without an answer. */
  readonly status: number | undefined;
}

export interface Factory {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly requests: readonly FactoryLogEntry[];
  readonly faults: FactoryFaults;
  /** One line for each schematic posted: its id and whether that is on record or our own code's. */
  readonly origins: readonly string[];
  stop(): Promise<void>;
}

/** Starts a simulated Image Factory on loopback: recorded ids where there are, else those of `factory/`. */
export async function startFactory(options: FactoryOptions = {}): Promise<Factory> {
  const release = options.release ?? "v1.5.0";
  const header = options.server ?? `Image Factory ${release}`;
  const faults = new FactoryFaults();
  for (const fault of options.faults ?? []) faults.add(fault);
  const requests: FactoryLogEntry[] = [];
  const state: FactoryState = {
    dialect: options.dialect ?? dialectOfServer(`Image Factory ${release}`) ?? "D4",
    release,
    catalogue: { ...defaultCatalogue, ...options.catalogue },
    stored: new Map(),
    origins: [],
    url: "",
  };
  const server = createServer((request, response) => {
    response.setHeader("Server", header);
    response.setHeader(
      "X-Request-ID",
      String(request.headers["x-request-id"] ?? `rehearsal-${requests.length + 1}`),
    );
    void serve({ state, faults, requests }, request, response).catch(() => response.destroy());
  });
  state.url = await listen(server);
  return { url: state.url, requests, faults, origins: state.origins, stop: () => stop(server) };
}

interface Context {
  readonly state: FactoryState;
  readonly faults: FactoryFaults;
  readonly requests: FactoryLogEntry[];
}

async function serve(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // Not `text`, which drops a byte order mark.
  const body = (await buffer(request)).toString("utf8");
  const method = request.method ?? "GET";
  const path = new URL(request.url ?? "/", context.state.url).pathname;
  const fault = context.faults.take(method, path);
  const log = (status?: number) => context.requests.push({ method, path, body, status });
  if (fault?.hang === true) return void log();
  if (fault?.drop === true) {
    log();
    response.destroy();
    return;
  }
  const reply = faulty(fault) ?? replaced(answer(context.state, { method, path, body }), fault);
  log(reply.status);
  response.writeHead(reply.status, reply.headers);
  response.end(method === "HEAD" ? undefined : reply.body);
}

function faulty(fault: FactoryFault | undefined): Answer | undefined {
  if (fault?.status === undefined) return undefined;
  return { status: fault.status, body: fault.body ?? "internal server error\n" };
}

function replaced(reply: Answer, fault: FactoryFault | undefined): Answer {
  if (fault?.wrongId === undefined || reply.status !== 201) return reply;
  return json(201, {
    id: fault.wrongId,
    ...(fault.wrongText === undefined ? {} : { schematic: fault.wrongText }),
  });
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
