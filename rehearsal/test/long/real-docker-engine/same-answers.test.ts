/** The simulated engine is asked what a real one is asked, and must answer the same. */
import { callEngine, startRig, TALOS_IMAGE, type Rig } from "../../docker-engine/support";
import { onRealEngine, startRealRig, type RealRig } from "./support";

type Step = readonly [method: string, path: string, body?: unknown];

/** Stands for the first digits of host ports: both engines run on one machine, so each has its own. */
const PORTS = "PORTS";
const OF_REAL = "5020";
const OF_SIMULATED = "5120";

const network = (Name: string, Subnet: string, Gateway: string): Step => [
  "POST",
  "/networks/create",
  { Name, CheckDuplicate: true, Driver: "bridge", IPAM: { Config: [{ Subnet, Gateway }] } },
];

const create = (name: string, change: { port?: number; host?: object; config?: object } = {}): Step => [
  "POST",
  `/containers/create?name=${name}`,
  {
    Image: TALOS_IMAGE,
    ExposedPorts: { "50000/tcp": {} },
    ...change.config,
    HostConfig: {
      NetworkMode: "bridge",
      Privileged: true,
      SecurityOpt: ["seccomp=unconfined"],
      RestartPolicy: { Name: "no" },
      PortBindings: { "50000/tcp": [{ HostIp: "127.0.0.1", HostPort: `${PORTS}${change.port ?? 1}` }] },
      Mounts: [
        { Type: "volume", Target: "/var", Source: "kept" },
        { Type: "volume", Target: "/opt" },
      ],
      ...change.host,
    },
  },
];

const move = (name: string, address: string, to = "lab"): Step[] => [
  ["POST", "/networks/bridge/disconnect", { Container: name }],
  [
    "POST",
    `/networks/${to}/connect`,
    { Container: name, EndpointConfig: { IPAMConfig: { IPv4Address: address } } },
  ],
];

const inspect = (name: string): Step => ["GET", `/containers/${name}/json`];
const post = (path: string, body?: unknown): Step =>
  body === undefined ? ["POST", path] : ["POST", path, body];

const steps: readonly Step[] = [
  network("lab", "10.5.0.0/24", "10.5.0.1"),
  network("other", "10.5.0.128/25", "10.5.0.129"),
  network("lab", "10.6.0.0/24", "10.6.0.1"),
  network("bad", "10.6.0/24", "10.6.0.1"),
  create("n1"),
  create("n1"),
  create("-a"),
  create("n9", { config: { Image: "ghcr.io/siderolabs/talos:v9.9.9" } }),
  create("n9", { host: { NanoCpus: 999e9 } }),
  create("n9", { host: { Memory: 2 ** 30, MemorySwap: 2 ** 29 } }),
  create("n9", { host: { Memory: 2 ** 20 } }),
  create("n9", { host: { Mounts: ["/var", "/var"].map((Target) => ({ Type: "volume", Target })) } }),
  ...move("n1", "10.5.0.2"),
  ["POST", "/networks/bridge/disconnect", { Container: "n1" }],
  post("/containers/n1/kill"),
  post("/containers/n1/stop"),
  post("/containers/n1/exec", { Cmd: ["sh"] }),
  inspect("n1"),
  post("/containers/n1/start"),
  post("/containers/n1/start"),
  inspect("n1"),
  post("/networks/lab/connect", { Container: "n1", EndpointConfig: {} }),
  ["DELETE", "/containers/n1"],
  ["DELETE", "/networks/lab"],
  ["DELETE", "/volumes/kept"],
  ["DELETE", "/volumes/kept?force=1"],
  ["GET", "/volumes/kept"],
  ["GET", "/volumes/none"],
  ["DELETE", "/volumes/none"],
  ["DELETE", "/volumes/none?force=1"],
  post("/volumes/create", { Name: "/a" }),
  post("/volumes/create", { Name: "made", Labels: { a: "b" } }),
  ["GET", "/networks/none"],
  ["DELETE", "/networks/bridge"],
  inspect("none"),
  ["GET", "/images/none:v1/json"],
  ["DELETE", `/images/${TALOS_IMAGE}`],
  create("n2"),
  post("/containers/n2/start"),
  inspect("n2"),
  create("n3", { port: 3 }),
  ...move("n3", "10.5.0.2"),
  post("/containers/n3/start"),
  create("n4", { port: 4 }),
  ...move("n4", "10.9.0.2"),
  post("/containers/n4/start"),
  post("/networks/create", { Name: "chosen" }),
  post("/networks/chosen/connect", {
    Container: "n4",
    EndpointConfig: { IPAMConfig: { IPv4Address: "172.18.0.9" } },
  }),
  create("n5", { port: 5, config: { Entrypoint: ["/nonexistent"] } }),
  post("/containers/n5/start"),
  inspect("n5"),
  post("/containers/n1/stop?t=3"),
  inspect("n1"),
  post("/containers/n1/update", { Memory: 2 ** 33 }),
  ["GET", "/networks/lab"],
  ["GET", "/networks/chosen"],
  ["GET", "/containers/n3/logs"],
  ["DELETE", "/containers/n1?v=1"],
  ["GET", "/volumes/kept"],
  ["GET", "/nothing"],
];

/** What the lab's code reads of an inspected container. */
const READ: Readonly<Record<string, readonly string[]>> = {
  State: ["Status", "Running", "Restarting", "ExitCode"],
  HostConfig: [
    "Privileged",
    "SecurityOpt",
    "RestartPolicy",
    "NetworkMode",
    "Memory",
    "MemorySwap",
    "ShmSize",
    "IpcMode",
    "LogConfig",
  ],
  Config: ["Image", "Entrypoint", "Cmd", "User", "WorkingDir", "Tty", "OpenStdin"],
  NetworkSettings: ["Ports", "Networks", "Bridge"],
};

const pick = (from: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key] ?? null]));

const OWN = ["Created", "CreatedAt", "Mountpoint"];

/** Without what is another engine's own: ids, times and folders; of containers only what is read. */
function readable(json: Record<string, unknown>): unknown {
  if ("NetworkSettings" in json) {
    return Object.fromEntries(
      Object.entries(READ).map(([part, keys]) => [part, pick(json[part] as Record<string, unknown>, keys)]),
    );
  }
  return Object.fromEntries(Object.entries(json).filter(([key]) => !OWN.includes(key)));
}

const general = (text: string): string =>
  text
    .replace(/5[01]20(?=\d\b)/g, PORTS)
    .replace(/[0-9a-f]{64}/g, "ID")
    .replace(/[0-9a-f]{12}/g, "ID");

interface Asked {
  readonly socket: string;
  readonly ports: string;
}

async function ask({ socket, ports }: Asked, [method, path, wanted]: Step) {
  const body =
    wanted === undefined
      ? undefined
      : (JSON.parse(JSON.stringify(wanted).replaceAll(PORTS, ports)) as unknown);
  const { status, text, json } = await callEngine(socket, { method, path: `/v1.41${path}`, body });
  const parsed = json as Record<string, unknown> | undefined;
  return {
    status,
    answer:
      parsed === undefined
        ? general(text)
        : (JSON.parse(general(JSON.stringify(readable(parsed)))) as unknown),
  };
}

onRealEngine("simulated and real engine", () => {
  let real: RealRig;
  let simulated: Rig;

  beforeAll(async () => {
    real = await startRealRig();
    const { json: info } = await callEngine(real.socket, { method: "GET", path: "/info" });
    simulated = await startRig({ info: { NCPU: (info as { NCPU: number }).NCPU } });
  }, 120_000);

  afterAll(async () => {
    await simulated.end();
    await real.end();
  }, 120_000);

  test.each(steps.map((step, index) => [`${index + 1}: ${step[0]} ${step[1]}`, step] as const))(
    "%s",
    async (_title, step) => {
      const expected = await ask({ socket: real.socket, ports: OF_REAL }, step);
      expect(await ask({ socket: simulated.engine.socket, ports: OF_SIMULATED }, step)).toEqual(expected);
    },
    30_000,
  );

  test.each(["sh", "/bin/sh"])(
    "exec of %s",
    async (command) => {
      const run = async (socket: string) => {
        const at = (method: string, path: string, body?: unknown) =>
          callEngine(socket, { method, path: `/v1.41${path}`, body });
        const { json } = await at("POST", "/containers/n6/exec", { Cmd: [command], AttachStdout: true });
        const { Id: id } = json as { Id: string };
        const { text } = await at("POST", `/exec/${id}/start`, {});
        const { json: state } = await at("GET", `/exec/${id}/json`);
        return { text, ExitCode: (state as { ExitCode: number }).ExitCode };
      };
      for (const asked of [
        { socket: real.socket, ports: OF_REAL },
        { socket: simulated.engine.socket, ports: OF_SIMULATED },
      ]) {
        for (const step of [create("n6", { port: 6 }), post("/containers/n6/start")]) await ask(asked, step);
      }
      const [expected, actual] = [await run(real.socket), await run(simulated.engine.socket)];
      expect(actual).toEqual(expected);
    },
    30_000,
  );
});
