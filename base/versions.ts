/** Versions with or without a leading v, and minor versions (`v1.13`). A pre-release counts as its release. */
import type { SemVer } from "semver";
import coerce from "semver/functions/coerce";
import compareCore from "semver/functions/compare";

/** Minor versions of one major, both included. */
export interface MinorRange {
  readonly from: number;
  readonly to: number;
}

/** Negative when left is older. */
export function compareVersions(left: string, right: string): number {
  return compareCore(release(left), release(right));
}

/** `1.13` of `v1.13.10`. */
export function minorOf(version: string): string {
  const { major, minor } = release(version);
  return `${major}.${minor}`;
}

/** Whether a version 1.x lies in a range of minors. */
export function isWithin(version: string, { from, to }: MinorRange): boolean {
  const { major, minor } = release(version);
  return major === 1 && minor >= from && minor <= to;
}

/** How far two versions are apart, for sorting: a minor version counts more than all patches. */
export function gap(left: string, right: string): number {
  const place = ({ major, minor, patch }: SemVer) => major * 1e6 + minor * 1e3 + patch;
  return Math.abs(place(release(left)) - place(release(right)));
}

function release(version: string): SemVer {
  const found = coerce(version);
  if (found === null) throw new Error(`${version} is not a version; this is a bug in talos-fleet`);
  return found;
}
