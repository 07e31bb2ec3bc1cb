import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { findProgram, system } from "./host";

const FORWARDING = "/proc/sys/net/ipv4/ip_forward";
const DEFAULT_BRIDGE = "docker0";

const bridgeExists = (): boolean => existsSync(`/sys/class/net/${DEFAULT_BRIDGE}`);

/** Remembers what dockerd changes on this machine; the function given back puts it as it was. */
export function rememberNetwork(): () => void {
  const rules = findProgram("iptables-save") === undefined ? undefined : system("iptables-save", []);
  const forwarding = readFileSync(FORWARDING, "utf8");
  const hadBridge = bridgeExists();
  return () => {
    if (rules !== undefined) restoreRules(rules);
    writeFileSync(FORWARDING, forwarding);
    if (!hadBridge && bridgeExists()) system("ip", ["link", "delete", DEFAULT_BRIDGE], { mayFail: true });
  };
}

/** Tables that were not there before are emptied: a restore leaves alone what it does not name. */
function restoreRules(rules: string): void {
  for (const table of ["nat", "filter"].filter((name) => !rules.includes(`*${name}\n`))) {
    for (const chain of ["INPUT", "FORWARD", "OUTPUT"]) {
      if (table === "filter") system("iptables", ["-P", chain, "ACCEPT"], { mayFail: true });
    }
    system("iptables", ["-t", table, "-F"], { mayFail: true });
    system("iptables", ["-t", table, "-X"], { mayFail: true });
  }
  if (rules.trim() !== "") system("iptables-restore", [], { input: rules });
}
