import { isRemote } from "../../config/platforms/docker/engine-address";

test.each([
  ["unix:///var/run/docker.sock", false],
  ["npipe:////./pipe/docker_engine", false],
  ["tcp://127.0.0.1:2375", false],
  ["tcp://127.1.2.3:2375", false],
  ["tcp://localhost:2375", false],
  ["http://[::1]:2375", false],
  ["tcp://192.0.2.7:2376", true],
  ["ssh://me@builder.example.net", true],
])("%s is remote: %s", (host, remote) => {
  expect(isRemote(host)).toBe(remote);
});
