/** What this machine's kernel says of itself, without loading or changing anything. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { HostKernel } from "./facts";

/** Where things are; another root for tests. */
export interface KernelFiles {
  readonly root: string;
  /** What `iptables-legacy -S FORWARD` prints; undefined where it may not be run. */
  readonly legacyForward: () => string | undefined;
}

export function hostKernel(files: KernelFiles = { root: "", legacyForward }): HostKernel {
  const { root } = files;
  return {
    bridgeNetfilter: existsSync(`${root}/proc/sys/net/bridge/bridge-nf-call-iptables`),
    ipv6: existsSync(`${root}/proc/sys/net/ipv6/conf/all/disable_ipv6`),
    inotifyWatches: Number(readText(`${root}/proc/sys/fs/inotify/max_user_watches`) ?? 0),
    modules: modulesThere(root),
    nftables: hasNftables(root),
    legacyFilter: legacyFilter(files),
  };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const release = (root: string): string => (readText(`${root}/proc/sys/kernel/osrelease`) ?? "").trim();

/** A container or a kernel of its own has no /lib/modules at all. */
const modulesThere = (root: string): boolean | undefined =>
  existsSync(`${root}/lib/modules`) ? existsSync(`${root}/lib/modules/${release(root)}`) : undefined;

const isLoaded = (root: string, module: string): boolean =>
  new RegExp(`^${module} `, "m").test(readText(`${root}/proc/modules`) ?? "");

function hasNftables(root: string): boolean | undefined {
  if (isLoaded(root, "nf_tables")) return true;
  const folder = `${root}/lib/modules/${release(root)}`;
  const lists = ["modules.dep", "modules.builtin"].map((file) => readText(`${folder}/${file}`));
  if (lists.some((list) => list === undefined)) return undefined;
  return lists.some((list) => list?.includes("/nf_tables.ko") === true);
}

/** Which tables there are only root can read; which modules are loaded everybody can. */
function legacyFilter({ root, legacyForward: forward }: KernelFiles): HostKernel["legacyFilter"] {
  const tables = readText(`${root}/proc/net/ip_tables_names`);
  const inUse = tables?.split("\n").includes("filter") ?? isLoaded(root, "iptable_filter");
  if (!inUse || !isLoaded(root, "nf_tables")) return "none";
  const rules = forward();
  if (rules === undefined) return "unknown";
  return /^-P FORWARD DROP$/m.test(rules) && !rules.includes("DOCKER") ? "drop" : "none";
}

/** Only asked where the table is there already: the call itself would load it. */
function legacyForward(): string | undefined {
  try {
    return execFileSync("iptables-legacy", ["-S", "FORWARD"], {
      encoding: "utf8",
      timeout: 5000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return undefined;
  }
}
