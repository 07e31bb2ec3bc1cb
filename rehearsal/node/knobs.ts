/** What a test turns to make simulated nodes as slow, or as broken, as real machines can be; see internal/settings/knobs.go. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** As Go writes durations: `500ms`, `8s`. */
type GoDuration = `${number}${"ms" | "s" | "m"}`;

export interface Knobs {
  /** How long a node with a new config refuses to be bootstrapped (default 500ms; real 8s). */
  readonly bootstrapAfter?: GoDuration;
  /** How long a node that was started again is not ready and stays cordoned (default 500ms; real 30s). */
  readonly settle?: GoDuration;
  /** How often controller manager and scheduler end after the founding (default 3), one every `restartEvery` (150ms). */
  readonly staticPodRestarts?: number;
  readonly restartEvery?: GoDuration;
  /** Keeps the kubelet from starting; the last line of its log. Empty: it starts. */
  readonly kubeletError?: string;
  /** The discovery service, and every image registry, is out of reach. */
  readonly noDiscovery?: boolean;
  readonly noRegistry?: boolean;
  /** How long `/openapi/v2` takes until somebody waited for it once, and its least size. */
  readonly openapiDelay?: GoDuration;
  readonly openapiSizeMB?: number;
}

/** Where the nodes of an engine or account look, given its folder. */
export const knobsFile = (dir: string): string => join(dir, "knobs.json");

/** Turns them for nodes by name, `*` for all; running nodes notice at once. What is not named goes back to its default. */
export function turnKnobs(dir: string, byNode: Readonly<Record<string, Knobs>>): void {
  const file = knobsFile(dir);
  writeFileSync(`${file}.new`, JSON.stringify(byNode), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
