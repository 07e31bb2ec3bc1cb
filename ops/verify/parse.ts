/** Reads what talosctl prints for several nodes at once; the maps are by node address. Pure. */
import { parseAllDocuments } from "yaml";
import { z } from "zod";

export interface ServiceState {
  readonly name: string;
  readonly state: string;
  readonly health: string;
}

const append = <T>(map: Map<string, T[]>, key: string, item: T): void => {
  map.set(key, [...(map.get(key) ?? []), item]);
};

/** `talosctl services`: columns NODE, SERVICE, STATE, HEALTH. */
export function parseServiceTable(table: string): Map<string, ServiceState[]> {
  const services = new Map<string, ServiceState[]>();
  for (const row of table.trim().split("\n").slice(1)) {
    const [node = "", name = "", state = "", health = ""] = row.trim().split(/\s+/);
    append(services, node, { name, state, health });
  }
  return services;
}

/** `talosctl version --short`: the servers' tags. */
export function parseVersions(text: string): Map<string, string> {
  const tags = new Map<string, string>();
  let node = "";
  for (const line of text.split("\n")) {
    const [key, value = ""] = line.trim().split(/:\s+/);
    if (key === "NODE") node = value;
    if (key === "Tag" && node !== "") tags.set(node, value);
  }
  return tags;
}

const member = z.looseObject({ node: z.string(), spec: z.looseObject({ hostname: z.string() }) });

/** `talosctl get members -o yaml`: who each node knows. */
export function parseKnownMembers(text: string): Map<string, string[]> {
  const members = new Map<string, string[]>();
  for (const document of parseAllDocuments(text)) {
    const parsed = member.safeParse(document.toJS());
    if (parsed.success) append(members, parsed.data.node, parsed.data.spec.hostname);
  }
  return members;
}

export type ConfigDocument = Readonly<Record<string, unknown>>;

const machineConfig = z.looseObject({ node: z.string(), spec: z.string() });

/** `talosctl get machineconfig v1alpha1 -o yaml`: each node's main config document (the one without a kind). */
export function parseMachineConfigs(text: string): Map<string, ConfigDocument> {
  const configs = new Map<string, ConfigDocument>();
  for (const document of parseAllDocuments(text)) {
    const parsed = machineConfig.safeParse(document.toJS());
    if (!parsed.success) continue;
    const main = parseAllDocuments(parsed.data.spec)
      .map((inner) => inner.toJS() as ConfigDocument | null)
      .find((inner) => inner !== null && !("kind" in inner));
    if (main !== undefined && main !== null) configs.set(parsed.data.node, main);
  }
  return configs;
}
