import type { Draft } from "./draft";

/** A group of nodes of the draft, with its place in the file: the control planes, or a pool. */
export interface NodeGroup {
  /** `controlPlanes` or `workers[0]`. */
  readonly key: string;
  readonly serverType?: string | undefined;
  readonly location?: string | undefined;
}

export function groupsOf({ controlPlanes, pools }: Draft): readonly NodeGroup[] {
  return [...(controlPlanes === undefined ? [] : [{ ...controlPlanes, key: "controlPlanes" }]), ...pools];
}
