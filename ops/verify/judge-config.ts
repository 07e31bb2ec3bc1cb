/** Whether the live configs hold what the patches ask for. Only values that the patches name are shown: no secret is near. Pure. */
import { valueAt } from "../../base/paths";
import type { NodePlan } from "../../config/types";
import { type Check, judged, type Look, same } from "./check";
import type { ConfigDocument } from "./parse";
import { hostEntries, type NodeWishes, nodeWishes, type Values, valueText } from "./wishes";

/** By node address. */
export type LiveConfigs = ReadonlyMap<string, ConfigDocument>;

export const configChecks = (nodes: readonly NodePlan[], live: Look<LiveConfigs>): Check[] =>
  nodes.flatMap((node) => nodeChecks(node, live));

function nodeChecks(node: NodePlan, live: Look<LiveConfigs>): readonly Check[] {
  const wishes = nodeWishes(node);
  const unseen = { what: `${node.name} machine config`, expected: "what its patches say" };
  return judged(live, unseen, (configs) => {
    const config = configs.get(node.address);
    if (config === undefined) return [{ ...unseen, seen: "no answer", ok: false }];
    return [
      ...argumentChecks(node, wishes, config),
      ...valueChecks(
        (key) => `${node.name} config nodeLabels ${key}`,
        wishes.labels,
        valueAt(config, ["machine", "nodeLabels"]),
      ),
      ...valueChecks(
        (key) => `${node.name} config sysctls ${key}`,
        wishes.sysctls,
        valueAt(config, ["machine", "sysctls"]),
      ),
      ...hostEntryChecks(node, wishes, config),
      ...schedulingCheck(node, wishes, config),
    ];
  });
}

function argumentChecks(node: NodePlan, wishes: NodeWishes, config: ConfigDocument): Check[] {
  return [...wishes.extraArgs].flatMap(([component, values]) => {
    const part = component === "kubelet" ? "machine" : "cluster";
    const live = valueAt(config, [part, component, "extraArgs"]);
    return valueChecks((key) => `${node.name} config ${component} ${key}`, values, live);
  });
}

const ABSENT = "absent";

function valueChecks(what: (key: string) => string, values: Values, live: unknown): Check[] {
  return [...values].map(([key, value]) => {
    const seen = valueAt(live, [key]);
    return same(what(key), value ?? ABSENT, seen === undefined ? ABSENT : valueText(seen));
  });
}

function hostEntryChecks(node: NodePlan, wishes: NodeWishes, config: ConfigDocument): Check[] {
  const live = hostEntries(valueAt(config, ["machine", "network", "extraHostEntries"]));
  return wishes.hostEntries.map(({ ip, aliases }) => {
    const names = live.filter((entry) => entry.ip === ip).flatMap((entry) => entry.aliases);
    const expected = aliases.join(" ");
    return {
      what: `${node.name} config extraHostEntries ${ip}`,
      expected,
      seen: names.length === 0 ? ABSENT : names.join(" "),
      ok: aliases.every((alias) => names.includes(alias)),
    };
  });
}

function schedulingCheck(node: NodePlan, wishes: NodeWishes, config: ConfigDocument): Check[] {
  const expected = wishes.schedulingOnControlPlanes;
  if (expected === undefined) return [];
  const seen = valueAt(config, ["cluster", "allowSchedulingOnControlPlanes"]);
  const what = `${node.name} config allowSchedulingOnControlPlanes`;
  // Talos leaves the key out where it is false.
  return [same(what, expected, valueText(seen ?? false))];
}

/** What the kernel of a node says; by node name, then by key. */
export type LiveSysctls = ReadonlyMap<string, ReadonlyMap<string, Look<string>>>;

/** Keys that the patches set, by node. */
export const wantedSysctls = (node: NodePlan): [string, string][] =>
  [...nodeWishes(node).sysctls].flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));

/** `net.core.somaxconn` is /proc/sys/net/core/somaxconn. A slash in a key stands for a dot in a name. */
export const sysctlPath = (key: string): string =>
  `/proc/sys/${key.replace(/[./]/g, (mark) => (mark === "." ? "/" : "."))}`;

export const sysctlChecks = (nodes: readonly NodePlan[], live: LiveSysctls): Check[] =>
  nodes.flatMap((node) =>
    wantedSysctls(node).flatMap(([key, expected]) => {
      const what = `${node.name} sysctl ${key}`;
      const seen = live.get(node.name)?.get(key) ?? { fault: "not looked at" };
      return judged(seen, { what, expected }, (text) => [same(what, words(expected), words(text))]);
    }),
  );

/** The kernel writes tabs between several numbers. */
const words = (text: string): string => text.trim().split(/\s+/).join(" ");
