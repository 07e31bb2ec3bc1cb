import { dockerClient } from "../../../ops/platforms/docker/client";

const target = (host: string, tls?: { ca: string; cert: string; key: string }) => {
  const { modem } = dockerClient({ host, from: "docker.host", ...(tls === undefined ? {} : { tls }) });
  const { protocol, host: name, port, username, socketPath } = modem as unknown as Record<string, unknown>;
  return { protocol, name, port, username, socketPath };
};
const TLS = { ca: "CA", cert: "CERT", key: "KEY" };

test.each([
  ["unix:///var/run/docker.sock", undefined, { socketPath: "/var/run/docker.sock" }],
  ["npipe:////./pipe/docker_engine", undefined, { socketPath: "//./pipe/docker_engine" }],
  ["tcp://192.0.2.7", undefined, { protocol: "http", name: "192.0.2.7", port: 2375 }],
  ["tcp://192.0.2.7", TLS, { protocol: "https", name: "192.0.2.7", port: 2376 }],
  ["tcp://192.0.2.7:2400", undefined, { protocol: "http", port: 2400 }],
  ["https://engine.example:443", undefined, { protocol: "https", name: "engine.example", port: 443 }],
  ["http://engine.example:80", undefined, { protocol: "http", name: "engine.example", port: 80 }],
  [
    "ssh://me@builder.example",
    undefined,
    { protocol: "ssh", name: "builder.example", port: 22, username: "me" },
  ],
  ["ssh://me@builder.example:2222", undefined, { protocol: "ssh", port: 2222, username: "me" }],
  ["ssh://me@[::1]:9", undefined, { protocol: "ssh", name: "::1", port: 9, username: "me" }],
  ["unix:///run/my%20engine", undefined, { socketPath: "/run/my%20engine" }],
  ["tcp://127.0.0.1:9/path", undefined, { protocol: "http", name: "127.0.0.1", port: 9 }],
])("%s", (host, tls, expected) => {
  expect(target(host, tls)).toMatchObject(expected);
});

test.each(["fd://", "fd://3", "http://[bad", "nonsense", "tcp://me:PW@[bad"])(
  "%s is refused with words",
  (host) => {
    let message = "";
    try {
      target(host);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(
      "is not an address that can be talked to; write it like unix:///var/run/docker.sock",
    );
    expect(message).not.toContain("PW");
  },
);

test.each([
  ["tcp://127.0.0.1:9?token=sesame", "has a query"],
  ["https://127.0.0.1:9/path", "has a path"],
  ["unix://var/run/x", "write unix:///var/run/x"],
])("what a check refuses is not dialled either: %s", (host, words) => {
  expect(() => target(host)).toThrow(words);
  expect(() => target(host)).not.toThrow("sesame");
});

test("DOCKER_HOST does not mix with an engine that was named elsewhere", () => {
  const before = process.env;
  process.env = { ...before, DOCKER_HOST: "tcp://192.0.2.9:1", DOCKER_CERT_PATH: "/nowhere" };
  try {
    expect(target("unix:///run/x")).toEqual({ protocol: "http", socketPath: "/run/x" });
    expect(process.env["DOCKER_HOST"]).toBe("tcp://192.0.2.9:1");
  } finally {
    process.env = before;
  }
});
