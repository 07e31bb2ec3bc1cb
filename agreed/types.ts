/** The plain words that every layer uses. */

export type Role = "controlplane" | "worker";

/** A strategic-merge patch: one or more YAML documents, as JSON-ready objects, with the name people know it by. */
export interface Patch {
  /** `patches.workers[0] (worker.patch.yaml)`: the key and, for a file, its path. */
  readonly source: string;
  readonly documents: readonly Readonly<Record<string, unknown>>[];
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
}

/** What runs, and the form of its configs. */
export interface Versions {
  /** What should run: `v1.13.10`. */
  readonly talos: string;
  /** What should run, without a `v`: `1.35.8`. */
  readonly kubernetes: string;
  /** The config contract, fixed when the cluster is created: `v1.13`. */
  readonly contract: string;
}
