import { compareVersions, isWithin, minorOf } from "../../base/versions";
import type { Draft } from "../draft";
import { isFaulty } from "../faulty";
import { isTested, kubernetesOf, knownMinors, nearestPairs, oldestContract } from "../versions";
import type { NoteRule, Rule } from "./input";

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

const talosIsKnown: Rule = ({ draft }) => {
  const { talosVersion, untestedVersions = false } = draft;
  if (talosVersion === undefined || kubernetesOf(talosVersion) !== undefined) return [];
  if (untestedVersions || isFaulty(draft, "untestedVersions")) return [];
  return [
    {
      key: "talosVersion",
      value: talosVersion,
      rule: `Talos ${minorOf(talosVersion)} is not among the minor versions this program knows (${knownMinors.join(", ")})`,
      repair: "set a version of one of them, or say untestedVersions: true",
    },
  ];
};

const talosRunsKubernetes: Rule = ({ draft: { talosVersion, kubernetesVersion } }) => {
  if (talosVersion === undefined || kubernetesVersion === undefined) return [];
  const range = kubernetesOf(talosVersion);
  if (range === undefined || isWithin(kubernetesVersion, range)) return [];
  const rule = `talosVersion ${talosVersion} runs Kubernetes 1.${range.from} to 1.${range.to}`;
  const repair = "set a version in that range, or another Talos version";
  return [{ key: "kubernetesVersion and talosVersion", value: kubernetesVersion, rule, repair }];
};

export const versionRules = {
  contractNotAboveTalos,
  contractIsCurrent,
  talosIsKnown,
  talosRunsKubernetes,
};

/** A patch release of this morning needs no change here: the table of pairs only makes a note. */
const pairIsTested: NoteRule = ({ draft }) => {
  const pair = pairOf(draft);
  if (pair === undefined || isTested(pair)) return [];
  const listed = nearestPairs(pair).map(({ talos, kubernetes }) => `${talos} with ${kubernetes}`);
  return [
    {
      key: "talosVersion and kubernetesVersion",
      value: `${pair.talos} with ${pair.kubernetes}`,
      note: `not among the tested pairs, of which the nearest are ${listed.join(", ")}`,
    },
  ];
};

function pairOf({ talosVersion: talos, kubernetesVersion: kubernetes }: Draft) {
  return talos === undefined || kubernetes === undefined ? undefined : { talos, kubernetes };
}

export const versionNotes = { pairIsTested };
