/** `talos-fleet preflight` of a lab: fake engines on real sockets, real context folders, whole output. */
import { createServer as createPort, type AddressInfo } from "node:net";
import { join } from "node:path";
import { writeContext } from "./docker-context";
import { engine, preflight, rig, stackFile, useRig, write } from "./preflight-rig";

useRig();

test("an engine that can run the lab", async () => {
  const host = await engine();
  expect(await preflight(stackFile(), { DOCKER_HOST: host })).toEqual({
    code: 0,
    errors: "",
    lines: [
      "Docker engine unix://HOME/docker.sock (DOCKER_HOST)",
      "HOME/Pulumi.lab.yaml: nothing stops `up`",
    ],
  });
});

test("no Docker at all: one screen, what to install, and what needs none", async () => {
  const file = stackFile({}, { host: `unix://${rig.home}/none.sock` });
  const { code, lines } = await preflight(file);
  expect(code).toBe(1);
  expect(lines).toEqual([
    "Docker engine unix://HOME/none.sock (docker.host)",
    "stop  Docker engine",
    "      seen: unix://HOME/none.sock (docker.host): connect ENOENT HOME/none.sock",
    "      why:  the lab's nodes are containers",
    "      do:   Linux:   sudo systemctl start docker; to install it: https://docs.docker.com/engine/install/",
    "            macOS:   colima start --memory 6 (brew install colima docker), or open Docker Desktop",
    "            Windows: Docker Desktop with WSL2",
    "            another engine: docker.host or docker.context in the stack file, DOCKER_HOST, docker context use",
    "            `make demo` needs no Docker",
    "HOME/Pulumi.lab.yaml: `up` would fail",
  ]);
});

test("all findings of one engine at once, with a free subnet and free ports", async () => {
  const listener = createPort().listen(0, "127.0.0.1");
  await new Promise((listening) => listener.once("listening", listening));
  const { port } = listener.address() as AddressInfo;
  const host = await engine({
    info: {
      OperatingSystem: "Ubuntu 24.04.2 LTS",
      CgroupVersion: "1",
      SecurityOptions: ["name=seccomp,profile=builtin", "name=rootless"],
      MemTotal: 2 * 1024 ** 3,
      BridgeNfIptables: false,
    },
    networks: [{ Name: "kind", Id: "4", Driver: "bridge", IPAM: { Config: [{ Subnet: "10.5.0.0/16" }] } }],
    containers: [
      {
        Id: "c1",
        Names: ["/kind-control-plane"],
        Labels: {},
        Ports: [{ IP: "127.0.0.1", PrivatePort: 6443, PublicPort: 29_471, Type: "tcp" }],
      },
    ],
  });
  const { code, lines } = await preflight(stackFile({}, { kubernetesPort: port }), { DOCKER_HOST: host });
  listener.close();
  expect(code).toBe(1);
  expect(lines.filter((line) => /^(stop|warn)/.test(line))).toEqual([
    "stop  rootless engine",
    "stop  cgroup v2",
    "stop  br_netfilter",
    "stop  subnet",
    "stop  port",
    "stop  port",
    "stop  memory",
  ]);
  expect(lines.filter((line) => line.includes("set docker.")).map((line) => line.trim())).toEqual([
    "do:   set docker.subnet to 10.6.0.0/24, or remove the other: docker network rm kind",
    "do:   set docker.talosPort to 29570, or stop the other program",
    expect.stringMatching(/^do: {3}set docker\.kubernetesPort to \d+, or stop the other program$/),
  ]);
  expect(lines).toContain("      seen: 29471 is in use by container kind-control-plane");
  expect(lines).toContain(`      seen: ${port} is in use`);
});

test("a lab that runs is no clash with itself", async () => {
  const host = await engine({
    networks: [{ Name: "lab", Id: "4", IPAM: { Config: [{ Subnet: "10.5.0.0/24" }] } }],
    containers: [
      {
        Id: "c1",
        Names: ["/lab-controlplane-1"],
        Labels: { "talos.owned": "true", "talos.cluster.name": "lab" },
        Ports: [{ IP: "127.0.0.1", PrivatePort: 50_000, PublicPort: 29_470, Type: "tcp" }],
      },
    ],
  });
  expect(await preflight(stackFile(), { DOCKER_HOST: host })).toMatchObject({ code: 0 });
});

test("a warning does not stop", async () => {
  const host = await engine({ info: { BridgeNfIptables: undefined } });
  const { code, lines } = await preflight(stackFile(), { DOCKER_HOST: host });
  expect(code).toBe(0);
  expect(lines[1]).toBe("warn  br_netfilter");
  expect(lines.at(-1)).toBe("HOME/Pulumi.lab.yaml: nothing stops `up`, 1 warning");
});

test("as JSON", async () => {
  const host = await engine({ info: { CgroupVersion: "1" } });
  const { code, lines } = await preflight(stackFile(), { DOCKER_HOST: host }, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(lines.join("\n"))).toMatchObject({
    ok: false,
    about: "Docker engine unix://HOME/docker.sock (DOCKER_HOST)",
    findings: [{ level: "stop", what: "cgroup v2", seen: "cgroup version 1" }],
  });
});

test("a stack file with faults is bad input", async () => {
  const { code, errors } = await preflight(stackFile({ colour: "red" }));
  expect(code).toBe(2);
  expect(errors).toContain("colour");
  expect(await preflight(join(rig.home, "lab.yaml"))).toMatchObject({ code: 2 });
});

test("a context that does not exist is a finding", async () => {
  const { code, lines } = await preflight(stackFile(), { DOCKER_CONTEXT: "nope" });
  expect(code).toBe(1);
  expect(lines.slice(0, 3)).toEqual([
    "Docker engine: none could be chosen",
    "stop  Docker engine",
    '      seen: DOCKER_CONTEXT: nope: there is no Docker context of this name; "docker context ls" lists those that exist',
  ]);
});

test("one CPU is a stop before `up`", async () => {
  const host = await engine({ info: { NCPU: 1 } });
  const { code, lines } = await preflight(stackFile(), { DOCKER_HOST: host });
  expect({ code, line: lines[1] }).toEqual({ code: 1, line: "stop  CPUs" });
});

test("a password in the engine's address is not shown", async () => {
  const address = "tcp://me:c4n4ry@127.0.0.1:1";
  for (const flags of [[], ["--json"]]) {
    for (const answer of [
      await preflight(stackFile({}, { host: address }), {}, ...flags),
      await preflight(stackFile(), { DOCKER_HOST: address }, ...flags),
    ]) {
      const said = `${answer.lines.join("\n")}${answer.errors}`;
      expect(said).not.toContain("c4n4ry");
      expect(said).toMatch(/user name or password|tcp:\/\/me:\*\*\*@127\.0\.0\.1:1/);
      expect(answer.code).not.toBe(0);
    }
  }
});

test("the engine that was chosen is the one that is asked", async () => {
  await engine({}, "colima.sock");
  writeContext({ folder: join(rig.home, ".docker"), name: "colima", host: `unix://${rig.home}/colima.sock` });
  write(join(rig.home, ".docker/config.json"), JSON.stringify({ currentContext: "colima" }));
  const { code, lines } = await preflight(stackFile());
  expect({ code, first: lines[0] }).toEqual({
    code: 0,
    first: "Docker engine unix://HOME/colima.sock (current context colima)",
  });
});
