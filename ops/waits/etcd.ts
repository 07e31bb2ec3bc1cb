/** Reads what talosctl prints of etcd. Pure. */

export interface EtcdMember {
  readonly id: string;
  readonly hostname: string;
  readonly learner: boolean;
}

/** `talosctl etcd members`: a table whose columns are two spaces apart or more. */
export function parseMembers(table: string): EtcdMember[] {
  const [header, ...rows] = table.trim().split("\n");
  const columns = columnsOf(header ?? "");
  return rows.map((row) => {
    const cell = (name: string) =>
      row.slice(columns.get(name)?.start ?? row.length, columns.get(name)?.end).trim();
    return { id: cell("ID"), hostname: cell("HOSTNAME"), learner: cell("LEARNER") === "true" };
  });
}

function columnsOf(header: string): Map<string, { start: number; end: number | undefined }> {
  const starts = [...header.matchAll(/\S+(?: \S+)*/g)].map((match) => ({
    name: match[0],
    start: match.index,
  }));
  return new Map(starts.map(({ name, start }, index) => [name, { start, end: starts[index + 1]?.start }]));
}

/** `talosctl service etcd` for several nodes: blocks of `NODE`, `ID`, `STATE`, `HEALTH`. Health (or state) by address. */
export function parseServices(text: string): Map<string, string> {
  const health = new Map<string, string>();
  let node = "";
  let state = "";
  for (const line of text.split("\n")) {
    const [key, ...rest] = line.trim().split(/\s+/);
    const value = rest.join(" ");
    if (key === "NODE") node = value;
    if (key === "STATE") state = value;
    if (key === "HEALTH") health.set(node, value === "OK" ? value : `${state}, health ${value}`);
  }
  return health;
}

/** Control planes that are no voting members, and members that are no control planes. */
export function memberFaults(
  controlPlanes: readonly string[],
  members: readonly EtcdMember[],
): Record<string, string> {
  const faults = new Map<string, string>();
  for (const name of controlPlanes) {
    const member = members.find(({ hostname }) => hostname === name);
    if (member === undefined) faults.set(name, "not an etcd member");
    else if (member.learner) faults.set(name, "still a learner in etcd");
  }
  for (const { hostname } of members) {
    if (!controlPlanes.includes(hostname))
      faults.set(hostname, "an etcd member that is no control plane of this stack");
  }
  return Object.fromEntries(faults);
}
