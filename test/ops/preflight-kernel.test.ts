import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hostKernel } from "../../ops/platforms/docker/preflight/kernel";

const RELEASE = "6.1.0-25-amd64";
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pf-kernel-"));
  write("/proc/sys/kernel/osrelease", `${RELEASE}\n`);
  write("/proc/sys/fs/inotify/max_user_watches", "8192\n");
});

afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(root + path), { recursive: true });
  writeFileSync(root + path, text);
}

const seen = (forward?: string) => hostKernel({ root, legacyForward: () => forward });

test("a machine without anything: what nobody can tell is not told", () => {
  expect(seen()).toEqual({
    bridgeNetfilter: false,
    ipv6: false,
    inotifyWatches: 8192,
    modules: undefined,
    nftables: undefined,
    legacyFilter: "none",
  });
});

test("the modules of another kernel are not those of the running one", () => {
  write("/lib/modules/6.1.0-26-amd64/modules.dep", "");
  expect(seen().modules).toBe(false);
  write(`/lib/modules/${RELEASE}/modules.dep`, "kernel/net/netfilter/nf_tables.ko.xz: a\n");
  write(`/lib/modules/${RELEASE}/modules.builtin`, "");
  expect(seen()).toMatchObject({ modules: true, nftables: true });
  write(`/lib/modules/${RELEASE}/modules.dep`, "kernel/net/x.ko: a\n");
  expect(seen().nftables).toBe(false);
  write("/proc/modules", "nf_tables 299008 1 - Live 0x0\n");
  expect(seen().nftables).toBe(true);
});

const BOTH = "iptable_filter 16384 0 - Live 0x0\nnf_tables 299008 1 - Live 0x0\n";
const DROP = "-P FORWARD DROP\n";

test.each([
  ["legacy alone", "iptable_filter 16384 0 - Live 0x0\n", DROP, "none"],
  ["nftables alone", "nf_tables 299008 1 - Live 0x0\n", DROP, "none"],
  ["both, and not root", BOTH, undefined, "unknown"],
  ["both, and the old one drops", BOTH, DROP, "drop"],
  ["both, and Docker's own rules are in the old one", BOTH, `${DROP}-A FORWARD -j DOCKER-USER\n`, "none"],
  ["both, and the old one accepts", BOTH, "-P FORWARD ACCEPT\n", "none"],
] as const)("legacy iptables: %s", (...[, modules, forward, expected]) => {
  write("/proc/modules", modules);
  expect(seen(forward).legacyFilter).toBe(expected);
});

test("root sees the tables themselves", () => {
  write("/proc/modules", BOTH);
  write("/proc/net/ip_tables_names", "nat\n");
  expect(seen(DROP).legacyFilter).toBe("none");
  write("/proc/net/ip_tables_names", "nat\nfilter\n");
  expect(seen(DROP).legacyFilter).toBe("drop");
});
