import fc from "fast-check";

import { changesBetween, changesOfPatches, livePaths, rebootPaths } from "../../machine/reboots";
import { shapeOfDocument } from "../../config/talos-keys";

type Config = Record<string, unknown>;
const patches = (...documents: Config[]) =>
  documents.map((document, index) => ({ source: `${index}`, documents: [document] }));
const reboots = (before: Config, after: Config) => rebootPaths(changesBetween([before], [after]));

/** Keys of `machine` and `machine.features` that CanApplyImmediate leaves as they are: another one needs a decision here. */
const needReboot = [
  ...["baseRuntimeSpecOverrides", "disks", "env", "files", "systemDiskEncryption", "token", "type", "udev"],
  ...[
    "features.apidCheckExtKeyUsage",
    "features.diskQuotaSupport",
    "features.rbac",
    "features.stableHostname",
  ],
];

test("every key of the machine config is of one kind", () => {
  const shapes = shapeOfDocument({}) as unknown as { machine: Config & { features: Config } };
  const machine = Object.keys(shapes.machine).filter((key) => key !== "features");
  const keys = [...machine, ...Object.keys(shapes.machine.features).map((key) => `features.${key}`)];
  const live = livePaths
    .filter((path) => path.startsWith("machine."))
    .map((path) => path.slice("machine.".length));

  expect([...live, ...needReboot].sort()).toEqual(keys.sort());
});

test.each(needReboot)("machine.%s needs a reboot", (key) => {
  const config = (value: unknown): Config => ({
    machine: key.split(".").reduceRight<unknown>((inner, part) => ({ [part]: inner }), value),
  });
  expect(reboots(config("a"), config("b"))).toEqual([`machine.${key}`]);
});

test("a sysctl is live, a proxy in the environment is not, and neither value is told", () => {
  const changes = changesBetween(
    [{ machine: { sysctls: { a: "1" }, env: { http_proxy: "http://u:sesame@p" } }, cluster: {} }],
    [
      {
        machine: { sysctls: { a: "2" }, env: { http_proxy: "http://u:open@p" } },
        cluster: { proxy: { disabled: true } },
      },
    ],
  );

  expect(changes).toEqual([
    { path: "machine.sysctls.a", effect: "live" },
    { path: "machine.env.http_proxy", effect: "reboot" },
    { path: "cluster.proxy.disabled", effect: "live" },
  ]);
});

test("credentials of a registry are taken, and used only after a reboot", () => {
  const config = (password: string): Config => ({
    machine: { registries: { config: { "r.example.net": { auth: { password } } } } },
  });

  expect(changesBetween([config("a")], [config("b")])).toEqual([
    { path: "machine.registries.config.r.example.net.auth.password", effect: "accepted" },
  ]);
});

test("other documents are live, whole ones and their keys", () => {
  const link = (mtu: number) => ({ apiVersion: "v1alpha1", kind: "LinkConfig", name: "eth1", mtu });

  expect(changesBetween([link(1400)], [link(1450)])).toEqual([
    { path: "LinkConfig eth1: mtu", effect: "live" },
  ]);
  expect(changesBetween([], [link(1450)])).toEqual([{ path: "LinkConfig eth1", effect: "live" }]);
});

test("an empty list or mapping of free keys is none, an empty section is one", () => {
  expect(reboots({ machine: { env: {}, files: [] } }, { machine: {} })).toEqual([]);
  expect(reboots({ machine: { udev: {} } }, { machine: {} })).toEqual(["machine.udev"]);
});

test("of patches only what they leave in force counts", () => {
  const file = { op: "create", path: "/var/a", permissions: 420, content: "sesame" };
  const set = { machine: { env: { a: "1" } } };
  const unset = { machine: { env: { a: { $patch: "delete" } } } };

  expect(changesOfPatches(patches(set), patches({ machine: { env: { a: "2" } } }, set))).toEqual([]);
  expect(changesOfPatches(patches(), patches(set, unset))).toEqual([]);
  expect(rebootPaths(changesOfPatches(patches(), patches({ machine: { files: [file] } })))).toEqual([
    "machine.files",
  ]);
  expect(
    rebootPaths(
      changesOfPatches(
        patches(),
        patches({ machine: { features: { diskQuotaSupport: { $patch: "delete" } } } }),
      ),
    ),
  ).toEqual(["machine.features.diskQuotaSupport"]);
});

describe("whatever changes", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 });
  const secret = word.map((text) => `sesame-${text}`);
  const tree = fc.letrec<{ value: unknown; map: Record<string, unknown> }>((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, secret, fc.boolean(), fc.array(secret, { maxLength: 2 }), tie("map")),
    map: fc.dictionary(word, tie("value"), { maxKeys: 3 }),
  }));
  const at = (path: string, value: unknown): Config =>
    path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Config;
  const machine = fc.record({
    env: fc.dictionary(word, secret),
    files: fc.array(fc.record({ path: secret })),
    sysctls: fc.dictionary(word, secret),
    udev: tree.map,
    kubelet: tree.map,
  });
  const config = fc.record({ machine, cluster: tree.map });

  test("the same config has no change", () => {
    fc.assert(fc.property(config, (one) => changesBetween([one], [structuredClone(one)]).length === 0));
  });

  test("back again the same paths change", () => {
    fc.assert(
      fc.property(config, config, (one, other) => {
        const paths = (left: Config, right: Config) =>
          changesBetween([left], [right])
            .map(({ path }) => path)
            .sort();
        expect(paths(one, other)).toEqual(paths(other, one));
      }),
    );
  });

  test("below a live path nothing needs a reboot", () => {
    fc.assert(
      fc.property(fc.constantFrom(...livePaths), tree.map, tree.map, (path, one, other) => {
        expect(reboots(at(path, one), at(path, other))).toEqual([]);
      }),
    );
  });

  test("a reboot is needed exactly when what is not live differs", () => {
    const rest = ({
      machine: { env, files, udev },
    }: {
      machine: { env: object; files: object; udev: object };
    }) => ({ env, files, udev });
    fc.assert(
      fc.property(config, config, (one, other) => {
        const left = JSON.stringify(rest(one), sorted);
        const right = JSON.stringify(rest(other), sorted);
        expect(reboots(one, other).length > 0).toBe(left !== right);
      }),
    );
  });

  test("no value is in what is told", () => {
    fc.assert(
      fc.property(
        config,
        config,
        (one, other) => !JSON.stringify(changesBetween([one], [other])).includes("sesame"),
      ),
    );
  });
});

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one.localeCompare(other)));
}
