/** The record in the cluster: a ConfigMap that says what it was built from. Written by the program, read by verify. */
import type { Versions } from "./types";

export const fleetRecord = { name: "talos-fleet", namespace: "kube-system" } as const;

export interface RecordedFacts {
  readonly cluster: string;
  /** SHA-256 of the canonical schematic. */
  readonly schematicId: string;
  readonly versions: Versions;
}

/** The record's data, key by key. */
export const recordData = ({ cluster, schematicId, versions }: RecordedFacts): Record<string, string> => ({
  cluster,
  schematic: schematicId,
  talos: versions.talos,
  kubernetes: versions.kubernetes,
  contract: versions.contract,
});
