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
