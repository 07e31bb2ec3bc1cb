export interface VersionPair {
  readonly talos: string;
  readonly kubernetes: string;
}

/**
 * A pair not listed is refused. Tested means: talosctl renders both roles with the pair's images and finds the results
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
export const kubernetesRange: Readonly<Record<string, { readonly from: number; readonly to: number }>> = {
  "1.12": { from: 30, to: 35 },
  "1.13": { from: 31, to: 36 },
  "1.14": { from: 32, to: 37 },
};

/** Since this contract a node's name is a document of its own (HostnameConfig). */
export const oldestContract = "v1.12";

/** `1.13.10`, without a `v`, as numbers; a pre-release counts as its release. */
export function numbers(version: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, "").split(/[.-]/).map(Number);
  return [major, minor, patch];
}

/** `1.13` of `v1.13.10`. */
export function minorOf(version: string): string {
  const [major, minor] = numbers(version);
  return `${major}.${minor}`;
}

/** Negative when left is older. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [numbers(left), numbers(right)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/** The listed pairs closest to one that is not, closest first. */
export function nearestPairs(pair: VersionPair, count = 3): VersionPair[] {
  const far = (listed: VersionPair) =>
    gap(listed.talos, pair.talos) * 1e9 + gap(listed.kubernetes, pair.kubernetes);
  return [...versionPairs].sort((left, right) => far(left) - far(right)).slice(0, count);
}

function gap(left: string, right: string): number {
  const place = ([major, minor, patch]: [number, number, number]) => major * 1e6 + minor * 1e3 + patch;
  return Math.abs(place(numbers(left)) - place(numbers(right)));
}
