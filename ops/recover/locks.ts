/** Locks that runs of pulumi hold on a stack of a file backend, and whether their processes still live. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const lockFile = z.looseObject({ pid: z.number(), hostname: z.string(), timestamp: z.string().default("") });

export interface Lock {
  readonly pid: number;
  readonly hostname: string;
  /** RFC 3339 */
  readonly since: string;
  /** `elsewhere`: on another machine, whose processes cannot be asked from here. */
  readonly holder: "alive" | "dead" | "elsewhere";
}

/** The folder of a `file://` backend (`file://~` is the home); undefined for any other backend. */
export function backendFolder(url: string, home: string): string | undefined {
  if (!url.startsWith("file://")) return undefined;
  const rest = url.slice("file://".length);
  if (rest === "~" || rest.startsWith("~/")) return join(home, rest.slice(1));
  return rest.startsWith("/") ? fileURLToPath(url) : rest;
}

/** @param folder of the file backend */
export function locksOf(folder: string, project: string, stack: string): Lock[] {
  const locks = join(folder, ".pulumi/locks/organization", project, stack);
  if (!existsSync(locks)) return [];
  return readdirSync(locks)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => readLock(join(locks, name)));
}

/** A lock that is gone or half-written while we look belongs to somebody alive: it is read again by the next run. */
function readLock(path: string): Lock[] {
  try {
    const { pid, hostname: host, timestamp } = lockFile.parse(JSON.parse(readFileSync(path, "utf8")));
    const holder = host !== hostname() ? "elsewhere" : isAlive(pid) ? "alive" : "dead";
    return [{ pid, hostname: host, since: timestamp, holder }];
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return [];
    return [{ pid: 0, hostname: hostname(), since: "", holder: "elsewhere" }];
  }
}

/** A process that has ended but that nobody has waited for is dead, though its number is taken. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and is somebody else's.
    return (error as { code?: string }).code === "EPERM";
  }
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !/^\d+ \(.*\) [ZX] /s.test(readFileSync(status, "utf8"));
}

export const lockText = ({ pid, hostname: host, since }: Lock): string =>
  `pid ${pid} on ${host} since ${since}`;
