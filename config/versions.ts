import { gap, minorOf } from "../base/versions";
import type { MinorRange } from "../base/versions";

export interface VersionPair {
  readonly talos: string;
  readonly kubernetes: string;
}

/**
 * A pair not listed makes a note. Tested means: talosctl renders both roles with the pair's images and finds the results
 * valid (test/config/versions.test.ts; it judges keys, not versions, and of Talos only the minor version), and the pairs
 * that the stack files name are rehearsed against simulated nodes. It does not mean that a pair has run on real machines.
 */
const tested: Readonly<Record<string, readonly string[]>> = {
  "v1.13.9": ["1.35.7", "1.35.8", "1.36.3", "1.36.4"],
  "v1.13.10": ["1.35.7", "1.35.8", "1.36.3", "1.36.4"],
};

export const versionPairs: readonly VersionPair[] = Object.entries(tested).flatMap(([talos, kubernetes]) =>
  kubernetes.map((version) => ({ talos, kubernetes: version })),
);

/** Kubernetes minors each Talos minor runs, both included (siderolabs/talos, pkg/machinery/compatibility). */
const kubernetesRange: ReadonlyMap<string, MinorRange> = new Map([
  ["1.12", { from: 30, to: 35 }],
  ["1.13", { from: 31, to: 36 }],
  ["1.14", { from: 32, to: 37 }],
]);

export const knownMinors: readonly string[] = [...kubernetesRange.keys()];

/** What a Talos version runs; undefined for a minor version that is not known. */
export const kubernetesOf = (talos: string): MinorRange | undefined => kubernetesRange.get(minorOf(talos));

/** Since this contract a node's name is a document of its own (HostnameConfig). */
export const oldestContract = "v1.12";

export const isTested = (pair: VersionPair): boolean =>
  versionPairs.some(({ talos, kubernetes }) => talos === pair.talos && kubernetes === pair.kubernetes);

/** The listed pairs closest to one that is not, closest first. */
export function nearestPairs(pair: VersionPair, count = 3): VersionPair[] {
  const far = (listed: VersionPair) =>
    gap(listed.talos, pair.talos) * 1e9 + gap(listed.kubernetes, pair.kubernetes);
  return [...versionPairs].sort((left, right) => far(left) - far(right)).slice(0, count);
}
