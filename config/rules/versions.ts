import {
  compareVersions,
  kubernetesRange,
  minorOf,
  nearestPairs,
  numbers,
  oldestContract,
  versionPairs,
} from "../versions";
import type { Rule } from "./input";

const contractNotAboveTalos: Rule = ({ draft: { talosContract, talosVersion } }) => {
  if (talosContract === undefined || talosVersion === undefined) return [];
  const minor = `v${minorOf(talosVersion)}`;
  if (compareVersions(talosContract, minor) <= 0) return [];
  const rule = `is above talosVersion ${talosVersion}, which cannot read configs of that contract`;
  return [
    { key: "talosContract and talosVersion", value: talosContract, rule, repair: `set ${minor} or older` },
  ];
};

/** Below it the program's own patches take other forms, which no test goes through. */
const contractIsCurrent: Rule = ({ draft: { talosContract } }) => {
  if (talosContract === undefined || compareVersions(talosContract, oldestContract) >= 0) return [];
  const rule = `is older than ${oldestContract}, the oldest config contract this program knows`;
  const repair = "set the minor version of talosVersion (in quotes where it ends in 0: 1.10 is 1.1 to YAML)";
  return [{ key: "talosContract", value: talosContract, rule, repair }];
};

const talosRunsKubernetes: Rule = ({ draft: { talosVersion, kubernetesVersion } }) => {
  if (talosVersion === undefined || kubernetesVersion === undefined) return [];
  const range = kubernetesRange[minorOf(talosVersion)];
  if (range === undefined || isWithin(kubernetesVersion, range)) return [];
  const rule = `talosVersion ${talosVersion} runs Kubernetes 1.${range.from} to 1.${range.to}`;
  const repair = "set a version in that range, or another Talos version";
  return [{ key: "kubernetesVersion and talosVersion", value: kubernetesVersion, rule, repair }];
};

/** Speaks only where talosRunsKubernetes has nothing to say. */
const pairIsTested: Rule = ({ draft: { talosVersion, kubernetesVersion } }) => {
  if (talosVersion === undefined || kubernetesVersion === undefined) return [];
  const range = kubernetesRange[minorOf(talosVersion)];
  if (range !== undefined && !isWithin(kubernetesVersion, range)) return [];
  const pair = { talos: talosVersion, kubernetes: kubernetesVersion };
  if (versionPairs.some(({ talos, kubernetes }) => talos === pair.talos && kubernetes === pair.kubernetes))
    return [];
  const listed = nearestPairs(pair).map(({ talos, kubernetes }) => `${talos} with ${kubernetes}`);
  return [
    {
      key: "talosVersion and kubernetesVersion",
      value: `${talosVersion} with ${kubernetesVersion}`,
      rule: "is not a tested pair (config/versions.ts)",
      repair: `the nearest tested ones are ${listed.join(", ")}`,
    },
  ];
};

function isWithin(kubernetes: string, { from, to }: { from: number; to: number }): boolean {
  const [major, minor] = numbers(kubernetes);
  return major === 1 && minor >= from && minor <= to;
}

export const versionRules = { contractNotAboveTalos, contractIsCurrent, talosRunsKubernetes, pairIsTested };
