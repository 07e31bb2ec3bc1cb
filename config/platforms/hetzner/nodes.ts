import type { Draft } from "../../draft";
import { groupsOf } from "../../groups";
import type { LayoutNode } from "../../layout";
import { hetznerDefaults, serversPerGroup } from "./defaults";

export interface Placed {
  /** `controlPlanes` or `workers[0]`. */
  readonly key: string;
  readonly serverType: string;
  readonly location: string;
}

/** Server type and location of each group of nodes, defaults filled in. */
export function placesOf(draft: Draft): readonly Placed[] {
  const home = draft.hetzner?.location ?? hetznerDefaults.location;
  return groupsOf(draft).map(({ key, serverType, location = home }) => ({
    key,
    location,
    serverType:
      serverType ?? hetznerDefaults.serverType[key === "controlPlanes" ? "controlPlanes" : "workers"],
  }));
}

/** Spread placement group of a node: `<cluster>-<pool>-<n>`, seven servers each. */
export function spreadGroupOf({ name, ordinal }: Pick<LayoutNode, "name" | "ordinal">): string {
  const stem = name.slice(0, name.length - String(ordinal).length);
  return `${stem}${Math.floor((ordinal - 1) / serversPerGroup)}`;
}
