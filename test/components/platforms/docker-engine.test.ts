import * as http from "node:http";
import type { AddressInfo } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import { engineHost, pingTarget } from "../../../components/platforms/docker/engine";

const PLAIN = { ca: "CA", cert: "CERT", key: "KEY" };

test.each([
  ["unix:///run/docker.sock", undefined, { socketPath: "/run/docker.sock" }],
  ["tcp://192.0.2.7", undefined, { host: "192.0.2.7", port: 2375 }],
  ["tcp://192.0.2.7", PLAIN, { host: "192.0.2.7", port: 2376 }],
  ["http://engine.example:80", undefined, { host: "engine.example", port: 80 }],
  ["https://engine.example:443", undefined, { host: "engine.example", port: 443 }],
  ["https://engine.example", undefined, { host: "engine.example", port: 2376 }],
  ["tcp://[::1]:2375", undefined, { host: "::1", port: 2375 }],
  ["tcp://127.0.0.1:9/path", undefined, { host: "127.0.0.1", port: 9, path: "/path/_ping" }],
  ["unix:///run/my%20engine", undefined, { socketPath: "/run/my%20engine" }],
  ["npipe:////./pipe/docker_engine", undefined, { socketPath: "//./pipe/docker_engine" }],
])("a preview asks %s where the operations would", (host, tls, expected) => {
  expect(pingTarget({ host, from: "docker.host", ...(tls === undefined ? {} : { tls }) })).toEqual(expected);
});

test("an engine that answers is named in a preview, and one that does not is not pinged by the plugin", async () => {
  const dryRun = jest.spyOn(pulumi.runtime, "isDryRun").mockReturnValue(true);
  const listening = async () => {
    const server = http.createServer((_, response) => response.end("OK")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    return { server, host: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const [here, gone] = [await listening(), await listening()];
  await new Promise((resolve) => gone.server.close(resolve));
  try {
    expect(await engineHost({ host: here.host, from: "docker.host" })).toBe(here.host);
    expect(await engineHost({ host: gone.host, from: "docker.host" })).toBe("ssh://preview.invalid");
  } finally {
    here.server.close();
    dryRun.mockRestore();
  }
});
