/** Talos version contracts as the provider reads and compares them. */

/** True for `v1.13`, `1.13`, `v1.13.2`: what the provider takes for a version. */
const isVersion = (text: string): boolean => /^v?\d+\.\d+($|\.)/.test(text);

export const versionFault = (value: unknown): string | undefined =>
  typeof value === "string" && !isVersion(value)
    ? `Invalid version. error parsing version "v${value.replace(/^v/, "")}"`
    : undefined;

const numbers = (version: string): number[] => {
  const [release = ""] = version.replace(/^v/, "").split(/[-+]/);
  return [...release.split(".").map(Number), 0, 0].slice(0, 3);
};

/** Below zero when the first is lower; a missing patch counts as 0, as in Go's semver. */
export function compareVersions(left: string, right: string): number {
  const [ours, theirs] = [numbers(left), numbers(right)];
  const differing = ours.findIndex((value, index) => value !== theirs[index]);
  return differing < 0 ? 0 : (ours[differing] ?? 0) - (theirs[differing] ?? 0);
}
