/** Which Docker engine is chosen, from real folders of contexts. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEngine } from "../../config/docker-engine";
import { engineFromHere } from "../../ops/platforms/docker/engine";
import { writeContext } from "./docker-context";

interface Asked {
  readonly keys?: { readonly host?: string; readonly context?: string };
  readonly env?: Readonly<Record<string, string>>;
}

let home: string;
const docker = (): string => join(home, ".docker");

const found = ({ keys = {}, env = {} }: Asked = {}) =>
  findEngine({
    ...keys,
    env,
    home,
    readText: (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
  });

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pf-"));
  mkdirSync(docker());
  writeContext({ folder: docker(), name: "colima", host: "unix:///colima.sock" });
  writeContext({ folder: docker(), name: "desktop", host: "unix:///desktop.sock" });
  writeFileSync(join(docker(), "config.json"), JSON.stringify({ auths: {}, currentContext: "colima" }));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test.each<[string, Asked, { host: string; from: string }]>([
  [
    "docker.host before all else",
    {
      keys: { host: "tcp://192.0.2.7:2376", context: "desktop" },
      env: { DOCKER_HOST: "unix:///env.sock", DOCKER_CONTEXT: "colima" },
    },
    { host: "tcp://192.0.2.7:2376", from: "docker.host" },
  ],
  [
    "docker.context before the environment",
    { keys: { context: "desktop" }, env: { DOCKER_HOST: "unix:///env.sock" } },
    { host: "unix:///desktop.sock", from: "docker.context desktop" },
  ],
  [
    "DOCKER_HOST before DOCKER_CONTEXT",
    { env: { DOCKER_HOST: "unix:///env.sock", DOCKER_CONTEXT: "desktop" } },
    { host: "unix:///env.sock", from: "DOCKER_HOST" },
  ],
  [
    "DOCKER_CONTEXT before the current context",
    { env: { DOCKER_CONTEXT: "desktop" } },
    { host: "unix:///desktop.sock", from: "DOCKER_CONTEXT desktop" },
  ],
  ["the current context", {}, { host: "unix:///colima.sock", from: "current context colima" }],
  [
    "an empty variable is none",
    { env: { DOCKER_HOST: "", DOCKER_CONTEXT: "" } },
    { host: "unix:///colima.sock", from: "current context colima" },
  ],
  [
    "the context called default",
    { env: { DOCKER_CONTEXT: "default" } },
    { host: "unix:///var/run/docker.sock", from: "default socket" },
  ],
])("%s", (_case, asked, expected) => {
  expect(found(asked)).toEqual(expected);
});

test("the default socket where nothing else is said", () => {
  rmSync(join(home, ".docker"), { recursive: true });
  expect(found()).toEqual({ host: "unix:///var/run/docker.sock", from: "default socket" });
});

test("DOCKER_CONFIG has contexts and a current one of its own, with TLS material", () => {
  const other = join(home, "other");
  const tls = { "ca.pem": "CA", "cert.pem": "CERT", "key.pem": "KEY" };
  writeContext({ folder: other, name: "builder", host: "tcp://192.0.2.9:2376", tls });
  writeFileSync(join(other, "config.json"), JSON.stringify({ currentContext: "builder" }));
  expect(found({ env: { DOCKER_CONFIG: other } })).toEqual({
    host: "tcp://192.0.2.9:2376",
    from: "current context builder",
    tls: { ca: "CA", cert: "CERT", key: "KEY" },
  });
  expect(() => found({ keys: { context: "colima" }, env: { DOCKER_CONFIG: other } })).toThrow(
    'docker.context: colima: there is no Docker context of this name; "docker context ls" lists those that exist',
  );
});

test("DOCKER_HOST with DOCKER_TLS_VERIFY brings its TLS material, as for Docker's own client", () => {
  const folder = join(home, "certificates");
  mkdirSync(folder);
  for (const [file, text] of [
    ["ca.pem", "CA"],
    ["cert.pem", "CERT"],
    ["key.pem", "KEY"],
  ] as const)
    writeFileSync(join(folder, file), text);
  const env = { DOCKER_HOST: "tcp://192.0.2.9:2376", DOCKER_CERT_PATH: folder };
  const engine = { host: "tcp://192.0.2.9:2376", from: "DOCKER_HOST" };
  expect(found({ env })).toEqual(engine);
  expect(found({ env: { ...env, DOCKER_TLS_VERIFY: "1" } })).toEqual({
    ...engine,
    tls: { ca: "CA", cert: "CERT", key: "KEY" },
  });
});

test("an engine that must be spoken to over TLS is never spoken to without it", () => {
  const folder = join(home, "no-certificates");
  const env = { DOCKER_HOST: "tcp://192.0.2.9:2376", DOCKER_CERT_PATH: folder, DOCKER_TLS_VERIFY: "1" };
  expect(() => found({ env })).toThrow(
    `DOCKER_TLS_VERIFY: 1: asks for TLS, and ${folder} does not hold ca.pem, cert.pem and key.pem; put them there, set DOCKER_CERT_PATH, or unset DOCKER_TLS_VERIFY`,
  );
});

test("the operations choose as the program does", () => {
  expect(engineFromHere({ host: "unix:///x.sock" })).toEqual({
    host: "unix:///x.sock",
    from: "docker.host",
  });
});
