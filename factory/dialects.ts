import type { Dialect } from "./types";

/** The dialect of the newest known factory (v1.5.0) comes first: its answer is the one to expect. */
export const dialects: readonly Dialect[] = ["D4", "D3", "D2", "D1", "D5"];

/** Which factory releases write which dialect, with their YAML library. */
export const factoryReleases: Readonly<Record<Dialect, string>> = {
  D1: "v0.1.0 to v0.8.4",
  D2: "v0.9.0 to v1.0.3",
  D3: "v1.1.0 to v1.4.0",
  D4: "v1.5.0 and later",
  D5: "releases to come (YAML library v4.0.0)",
};

/** The dialect that a factory release writes, from its `Server: Image Factory v1.5.0` header. */
export function dialectOfServer(header: string): Dialect | undefined {
  const match = /^Image Factory v(\d+)\.(\d+)\.(\d+)/.exec(header);
  if (!match) return undefined;
  const [major = 0, minor = 0] = match.slice(1).map(Number);
  if (major > 1 || (major === 1 && minor >= 5)) return "D4";
  if (major === 1) return minor >= 1 ? "D3" : "D2";
  return minor >= 9 ? "D2" : "D1";
}
