/** Whether the live configs hold what the patches ask for. Only values that the patches name are looked at. Pure. */
import { valueAt } from "../../base/paths";
import type { NodePlan } from "../../config/types";
import type { Look } from "../lib/look";
import { type Check, judged, passIf } from "./check";
import { type ExpectedOfNode, expectedOf, hostEntries } from "./expected";
import type { ConfigDocument } from "./parse";
import { ABSENT, compared, secretCheck, type Values, valueText } from "./values";

/** By node address. */
export type LiveConfigs = ReadonlyMap<string, ConfigDocument>;

export const configChecks = (nodes: readonly NodePlan[], live: Look<LiveConfigs>): Check[] =>
  nodes.flatMap((node) => nodeChecks(node, live));

function nodeChecks(node: NodePlan, live: Look<LiveConfigs>): readonly Check[] {
  const expected = expectedOf(node);
  const unseen = { what: `${node.name} machine config`, expected: "what its patches say" };
  return judged(live, unseen, (configs) => {
    const config = configs.get(node.address);
    if (config === undefined) return [{ ...unseen, seen: "no answer", result: "FAIL" }];
    return [
      ...argumentChecks(node, expected, config),
      ...valueChecks(
        (key) => `${node.name} config nodeLabels ${key}`,
        expected.labels,
        valueAt(config, ["machine", "nodeLabels"]),
      ),
      ...valueChecks(
        (key) => `${node.name} config sysctls ${key}`,
        expected.sysctls,
        valueAt(config, ["machine", "sysctls"]),
      ),
      ...hostEntryChecks(node, expected, config),
      ...schedulingCheck(node, expected, config),
    ];
  });
}

function argumentChecks(node: NodePlan, expected: ExpectedOfNode, config: ConfigDocument): Check[] {
  return [...expected.extraArgs].flatMap(([component, values]) => {
    const part = component === "kubelet" ? "machine" : "cluster";
    const live = valueAt(config, [part, component, "extraArgs"]);
    return valueChecks((key) => `${node.name} config ${component} ${key}`, values, live);
  });
}

function valueChecks(what: (key: string) => string, values: Values, live: unknown): Check[] {
  return [...values].map(([key, wanted]) => {
    const seen = valueAt(live, [key]);
    return compared({ what: what(key), key, wanted, seen: seen === undefined ? undefined : valueText(seen) });
  });
}

function hostEntryChecks(node: NodePlan, expected: ExpectedOfNode, config: ConfigDocument): Check[] {
  const live = hostEntries(valueAt(config, ["machine", "network", "extraHostEntries"]));
  return expected.hostEntries.map(({ ip, aliases }) => {
    const names = live.filter((entry) => entry.ip === ip).flatMap((entry) => entry.aliases);
    const shown = expected.secretHostEntries ? names.filter((name) => aliases.includes(name)) : names;
    return {
      what: `${node.name} config extraHostEntries ${ip}`,
      expected: aliases.join(" "),
      seen: shown.length === 0 ? ABSENT : shown.join(" "),
      result: passIf(aliases.every((alias) => names.includes(alias))),
    };
  });
}

function schedulingCheck(node: NodePlan, expected: ExpectedOfNode, config: ConfigDocument): Check[] {
  const key = "allowSchedulingOnControlPlanes";
  const wanted = expected.schedulingOnControlPlanes;
  if (wanted === undefined) return [];
  // Talos leaves the key out where it is false.
  const seen = valueText(valueAt(config, ["cluster", key]) ?? false);
  return [compared({ what: `${node.name} config ${key}`, key, wanted, seen })];
}

/** What the kernel of a node says; by node name, then by key. */
export type LiveSysctls = ReadonlyMap<string, ReadonlyMap<string, Look<string>>>;

/** What the patches set of a node's sysctls. */
export const wantedSysctls = (node: NodePlan): Values =>
  new Map([...expectedOf(node).sysctls].filter(([, { kind }]) => kind !== "absent"));

/** `net.core.somaxconn` is /proc/sys/net/core/somaxconn. A slash in a key stands for a dot in a name. */
export const sysctlPath = (key: string): string =>
  `/proc/sys/${key.replace(/[./]/g, (mark) => (mark === "." ? "/" : "."))}`;

export const sysctlChecks = (nodes: readonly NodePlan[], live: LiveSysctls): Check[] =>
  nodes.flatMap((node) =>
    [...wantedSysctls(node)].flatMap(([key, wanted]) => {
      const what = `${node.name} sysctl ${key}`;
      const seen = live.get(node.name)?.get(key) ?? { fault: "not looked at" };
      if (wanted.kind !== "text") return [secretCheck(what, "found" in seen ? seen.found : undefined)];
      return judged(seen, { what, expected: words(wanted.text) }, (text) => [
        compared({ what, key, wanted: { kind: "text", text: words(wanted.text) }, seen: words(text) }),
      ]);
    }),
  );

/** The kernel writes tabs between several numbers. */
const words = (text: string): string => text.trim().split(/\s+/).join(" ");
