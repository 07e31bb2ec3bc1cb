import { formatFault } from "../../../base/faults";
import { configsInput } from "../../../machine/configs-input";
import { judgeConfigs } from "../../../ops/validate/run";
import { complaints, masked, secretsOf } from "../../../ops/validate/words";
import type { OfflineTalosctl } from "../../../ops/clients/talosctl-offline";
import { operations } from "../../../agreed/operations";
import { hetznerPlan, labPlan } from "../../support/plans";
import { buildTimeMs, ownTemporaryFolder, realTalosctl } from "./real-talosctl";

jest.setTimeout(60_000);

let talosctl: OfflineTalosctl;
const temporary = ownTemporaryFolder();
beforeAll(async () => {
  talosctl = await realTalosctl();
}, buildTimeMs);
afterAll(() => temporary.remove());

const judged = async (patches: Record<string, unknown>, secret = false) =>
  (await judgeConfigs(configsInput(labPlan({ patches }), secret), talosctl)).map(formatFault);
const document = (kind: string, rest: object) => ({ apiVersion: "v1alpha1", kind, ...rest });
const refused = (value: string, rule: string) =>
  `${value}: Talos refuses the config of ${rule}; correct it as the message says`;

const sizeless = document("UserVolumeConfig", {
  name: "x",
  provisioning: { diskSelector: { match: "!system_disk" } },
});
const sysctl = (name: string) => ({ machine: { sysctls: { [name]: "1" } } });

test("the configs of both stacks are taken, a config a sort of node", async () => {
  const runs: string[] = [];
  const counting: OfflineTalosctl = async (folder, args) => {
    runs.push(args[0] === "gen" ? `gen ${args[1] ?? ""}` : (args[0] ?? ""));
    return talosctl(folder, args);
  };
  const input = configsInput(hetznerPlan(), false);

  expect(operations.validate.input.safeParse(input).success).toBe(true);
  expect(input.groups.map(({ nodes }) => nodes.length)).toEqual([3, 14]);
  expect(await judgeConfigs(input, counting)).toEqual([]);
  expect(runs.sort()).toEqual(["gen config", "gen config", "gen secrets", "validate", "validate"]);
  expect(temporary.left()).toEqual([]);
});

test("values that Talos refuses: each patch by its name, once for all nodes", async () => {
  const all = [
    sizeless,
    document("EthernetConfig", { rings: { rx: 1 } }),
    document("WatchdogTimerConfig", { device: "/dev/watchdog0", timeout: "5s" }),
    document("NetworkRuleConfig", {
      ...{ name: "r", portSelector: { ports: [1], protocol: "tcp" } },
      ingress: [{ subnet: "10.0.1.0" }],
    }),
    { machine: { files: [{ op: "overwrite", path: "/var/b.conf", permissions: "0644", content: "x" }] } },
  ];

  expect(await judged({ all })).toEqual(
    [
      ["UserVolumeConfig x", "min size or max size is required"],
      ["EthernetConfig", "name is required"],
      ["WatchdogTimerConfig", "watchdog timeout: minimum value is 10s"],
      ["(a value in it)", "netip.ParsePrefix(\"10.0.1.0\"): no '/'"],
      ["(a value in it)", "cannot construct !!str `0644` into v1alpha1.FileMode"],
    ].map(
      ([value, rule], index) => `patches.all[${index}]: ${refused(value!, `lab-controlplane-1: ${rule!}`)}`,
    ),
  );
});

test("each faulty patch among many is named, and what two patches do together is the later one's", async () => {
  const servers = document("TimeSyncConfig", { ntp: { servers: ["ntp.example.net"] } });
  const patches = {
    all: [
      sysctl("a"),
      { machine: { time: { servers: ["ntp.example.net"] } } },
      sysctl("b"),
      sysctl("c"),
      sizeless,
      sysctl("d"),
    ],
    controlPlanes: [sysctl("e"), servers],
    workers: [sysctl("f"), document("EthernetConfig", { rings: { rx: 1 } }), sysctl("g")],
  };

  expect(await judged(patches)).toEqual([
    `patches.all[4]: ${refused("UserVolumeConfig x", "lab-controlplane-1: min size or max size is required")}`,
    `patches.controlPlanes[1]: ${refused("(a value in it)", "lab-controlplane-1: time servers cannot be specified in both v1alpha1 and new-style configuration")}`,
    `patches.workers[1]: ${refused("EthernetConfig", "lab-worker-1: name is required")}`,
  ]);
});

test("no value below a key that sounds like a secret is shown, and none at all where the stack file has secrets", async () => {
  const tokens = {
    machine: { files: [{ op: "create", path: "/var/t", content: "sesame", permissions: "sesame" }] },
  };
  const plain = {
    machine: { files: [{ op: "create", path: "/var/t", content: "x", permissions: "sesame" }] },
  };

  expect((await judged({ all: [tokens] })).join("\n")).toMatch(
    /cannot construct !!str `?\(not shown\)`? into/,
  );
  expect((await judged({ all: [plain] }, true)).join("\n")).toMatch(
    /cannot construct !!str `?\(not shown\)`? into/,
  );
});

/** What talosctl tells of each, in quotes, bare, cut short, in pieces, or in small letters. */
const withTokens: readonly object[] = [
  document("SideroLinkConfig", { apiUrl: "hxxps://x y?jointoken=SESAME" }),
  document("SideroLinkConfig", { apiUrl: "https://u:SES AME@x?jointoken=SESAME" }),
  document("SideroLinkConfig", { apiUrl: "https://x:SESAME" }),
  document("KmsgLogConfig", { name: "a", url: "x\ny?token=SESAME" }),
  document("KmsgLogConfig", { name: "u:SESAME@b", url: "tcp://x" }),
  document("EventSinkConfig", { endpoint: "https://u:SESAME@h:1?x=SESAME" }),
  document("RegistryMirrorConfig", { name: "c", endpoints: [{ url: "hxxps://x y?key=SESAME" }] }),
  { machine: { logging: { destinations: [{ endpoint: "tcp://x y/SESAME", format: "json_lines" }] } } },
  { cluster: { network: { cni: { name: "custom", urls: ["https://x y/SESAME?token=SESAME"] } } } },
  { cluster: { discovery: { registries: { service: { endpoint: "hxxps://x y?key=SESAME" } } } } },
  document("ResolverConfig", { nameservers: [{ address: "https://u:SESAME@x/dns?SESAME" }] }),
  document("NetworkRuleConfig", {
    ...{ name: "r", portSelector: { ports: [1], protocol: "tcp" } },
    ingress: [{ subnet: "10.0.1.0?key=SESAME" }],
  }),
  document("WireguardConfig", { name: "wg0", peers: [{ endpoint: "u:SESAME@h?x" }] }),
  document("WatchdogTimerConfig", { device: "/dev/x", timeout: "5?SESAME=1" }),
  document("UserVolumeConfig", { name: "v", provisioning: { minSize: "1GB?key=SESAME" } }),
];
const halves = [withTokens.slice(0, 8), withTokens.slice(8)];

test.each(halves)(
  "no token or password of an address is told, wherever the address stands: %#",
  async (...some) => {
    const faults = await judged({ controlPlanes: some });

    expect(faults).toHaveLength(some.length);
    expect(faults.filter((fault) => /ses ?ame/i.test(fault))).toEqual([]);
  },
);

test("an address that is only a host stays readable", async () => {
  const sink = document("EventSinkConfig", { endpoint: "logs.example.net" });

  expect((await judged({ controlPlanes: [sink] })).join("\n")).toContain("address logs.example.net: missing");
});

test("what may be said of a value that only Pulumi can read is no fault, and hides no other", async () => {
  const all = [document("KmsgLogConfig", { name: "sink", url: "(encrypted)" }), sizeless];
  expect(await judged({ all })).toEqual([
    `patches.all[1]: ${refused("UserVolumeConfig x", "lab-controlplane-1: min size or max size is required")}`,
  ]);
});

test("what talosctl says is told in its own last words", () => {
  expect(
    complaints("1 error occurred:\n\t* v1alpha1.Config: 2 errors occurred:\n\t* one\n\t* two\n"),
  ).toEqual(["one", "two"]);
  expect(complaints("generating PKI and tokens\npanic: reflect\ngoroutine 1\nsesame")).toEqual([
    "talosctl stops with a panic on it",
  ]);
  expect(complaints("x: unknown keys found during decoding:\nmachine:\n  token: sesame\n")).toEqual([
    "it holds keys that Talos does not know",
  ]);
  expect(complaints("")).toEqual(["talosctl gives no reason"]);
});

test("a piece of a secret in quotes, and a password in an address, are taken out", () => {
  const patch = {
    source: "x",
    documents: [{ machine: { env: { http_proxy: "http://u:sesame-street@p:1" } } }],
  };
  const secrets = secretsOf([patch], false);

  expect(masked("parse `http://u:sesame...`: bad", secrets)).toBe("parse (not shown): bad");
  expect(masked("dial http://u:other@p:1", secrets)).toBe("dial http://(not shown)@p:1");
  expect(secretsOf([{ source: "x", documents: [sysctl("a")] }], false)).toEqual([]);
});

test("a secret of several lines is taken out as Go quotes it, too", () => {
  const pem = '-----BEGIN KEY-----\nsesame"street\n-----END KEY-----\n';
  const secrets = secretsOf([{ source: "x", documents: [{ machine: { ca: { key: pem } } }] }], false);

  expect(masked(`bad key ${JSON.stringify(pem)}: no`, secrets)).not.toContain("sesame");
  expect(masked('line 2: sesame"street is bad', secrets)).not.toContain("sesame");
});
