import { findEngine } from "../../config/docker-engine";
import {
  engineAddressProblem,
  isRemote,
  readEngineAddress,
} from "../../config/platforms/docker/engine-address";
import { changed, faultLines } from "./fixtures";

const tcp = { kind: "tcp", secure: false, basePath: "" };

test.each([
  ["unix:///var/run/docker.sock", { kind: "socket", path: "/var/run/docker.sock" }],
  ["unix:///run/my%20engine", { kind: "socket", path: "/run/my%20engine" }],
  ["unix:///run/my engine", { kind: "socket", path: "/run/my engine" }],
  ["unix:///run/a?b#c", { kind: "socket", path: "/run/a?b#c" }],
  ["unix:///run/../run/x", { kind: "socket", path: "/run/../run/x" }],
  ["npipe:////./pipe/docker_engine", { kind: "socket", path: "//./pipe/docker_engine" }],
  ["tcp://127.0.0.1:9", { ...tcp, host: "127.0.0.1", port: 9 }],
  ["tcp://127.0.0.1:9/", { ...tcp, host: "127.0.0.1", port: 9 }],
  ["tcp://127.0.0.1:9/engine/one/", { ...tcp, host: "127.0.0.1", port: 9, basePath: "/engine/one" }],
  ["tcp://[::1]:9", { ...tcp, host: "::1", port: 9 }],
  ["tcp://[::1]", { ...tcp, host: "::1", port: 2375 }],
  ["https://h:443", { ...tcp, host: "h", port: 443, secure: true }],
  ["https://h:9/", { ...tcp, host: "h", port: 9, secure: true }],
  ["http://h:80", { ...tcp, host: "h", port: 80 }],
  ["ssh://me@[::1]:9", { kind: "ssh", host: "::1", port: 9, user: "me" }],
  ["ssh://a%40b@h", { kind: "ssh", host: "h", port: 22, user: "a@b" }],
])("%s leads where Docker's own client would go", (address, expected) => {
  expect(readEngineAddress(address)).toEqual(expected);
});

const path = (scheme: string) =>
  `has a path, which Docker's clients do not take in ${scheme}:// addresses; remove everything after host and port`;
const query = "has a query, which no engine's address has; remove everything from ? on";
const none = "is not an engine's address; write it like unix:///var/run/docker.sock";

test.each([
  ["https://127.0.0.1:9/path", path("https")],
  ["ssh://me@h/run/docker.sock", path("ssh")],
  ["tcp://127.0.0.1:9?x=1", query],
  ["tcp://127.0.0.1:9/?token=sesame", query],
  ["ssh://h?x", query],
  ["http://h:9#x", "has a fragment, which no engine's address has; remove everything from # on"],
  ["unix:/x", "has one slash after unix:, and Docker wants two before the path; write unix:///x"],
  ["unix://var/run/x", "names a path that does not begin with a slash; write unix:///var/run/x"],
  [
    "unix://~/docker.sock",
    "names a path that does not begin with a slash; write it like unix:///var/run/docker.sock",
  ],
  ["unix://", none],
  ["http:/h:9", none],
  ["http:///h:9", none],
  ["TCP://h:9", none],
  [" tcp://h:9", none],
  ["tcp://h:9\n", none],
  ["tcp://h:99999", none],
  ["ssh://%zz@h", none],
  ["/var/run/docker.sock", none],
])("%s is refused", (address, problem) => {
  expect(engineAddressProblem(address)).toBe(problem);
});

test.each([
  ["tcp://LOCALHOST:9", false],
  ["ssh://me@[::1]:9", false],
  ["npipe://./pipe/docker_engine", false],
  ["tcp://[::2]:9", true],
])("%s is remote: %s", (address, remote) => {
  expect(isRemote(address)).toBe(remote);
});

const context = (host: string) => (file: string) =>
  file.endsWith("meta.json") ? JSON.stringify({ Endpoints: { docker: { Host: host } } }) : undefined;

test.each(["tcp://127.0.0.1:9?token=sesame", "tcp://127.0.0.1:9#sesame"])(
  "%s is refused wherever it is said, and never shown",
  (host) => {
    const home = "/home/me";
    const byVariable = () => findEngine({ env: { DOCKER_HOST: host }, home, readText: () => undefined });
    const byContext = () => findEngine({ env: {}, home, context: "lima", readText: context(host) });
    expect(byVariable).toThrow(/DOCKER_HOST: \(value not shown\): has a /);
    expect(byContext).toThrow(/docker\.context lima: \(value not shown\): has a /);
    const lines = faultLines(changed("lab", { docker: { host } }));
    expect(lines).toEqual([expect.stringMatching(/^docker\.host: \(value not shown\): has a /)]);
    for (const refused of [byVariable, byContext]) expect(refused).not.toThrow(/sesame/);
    expect(lines.join()).not.toContain("sesame");
  },
);
