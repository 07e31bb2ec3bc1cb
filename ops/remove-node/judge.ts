/** Whether a member may leave etcd. Pure. */
import type { EtcdMember } from "../waits/etcd";

export interface Leaving {
  /** The node's name. */
  readonly name: string;
  readonly members: readonly EtcdMember[];
  /** Names of the members whose etcd says that it is healthy. */
  readonly healthy: ReadonlySet<string>;
}

/** Why the others would be left without a majority; undefined when it may go. */
export function whyItMustStay({ name, members, healthy }: Leaving): string | undefined {
  const leaving = members.find(({ hostname }) => hostname === name);
  // A learner has no vote to lose.
  if (leaving === undefined || leaving.learner) return undefined;
  const others = members.filter(({ hostname, learner }) => hostname !== name && !learner);
  if (others.length === 0)
    return "it is the only voting member: without it etcd, and all that it holds, is gone";
  const well = others.filter(({ hostname }) => healthy.has(hostname)).length;
  const needed = Math.floor(others.length / 2) + 1;
  if (well >= needed) return undefined;
  const ill = others.filter(({ hostname }) => !healthy.has(hostname)).map(({ hostname }) => hostname);
  return `of the ${others.length} others ${well} would be healthy, and etcd needs ${needed} of them; mend ${ill.join(", ")} first`;
}
