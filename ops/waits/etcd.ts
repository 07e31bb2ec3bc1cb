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

/** Control planes that are no voting members. Others may still be members: who is on the way out goes after the last wait. */
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
  return Object.fromEntries(faults);
}

/**
 * What keeps a node from being a voting member among members that are well. Control planes that have not joined are not
 * asked for: they may come only after this node.
 */
export function memberFault(name: string, members: readonly EtcdMember[]): Readonly<Record<string, string>> {
  const own = members.find(({ hostname }) => hostname === name);
  const learners = members.filter(({ learner }) => learner).map(({ hostname }) => hostname);
  return {
    ...Object.fromEntries(learners.map((hostname) => [hostname, "still a learner in etcd"])),
    ...(own === undefined ? { [name]: "not an etcd member" } : {}),
  };
}
