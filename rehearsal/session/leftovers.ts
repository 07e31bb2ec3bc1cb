import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface LeftProcess {
  readonly pid: number;
  readonly command: string;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

function fromProc(marker: string): readonly LeftProcess[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({
      pid: Number(name),
      command: read(join("/proc", name, "cmdline")),
      env: read(join("/proc", name, "environ")),
    }))
    .filter(({ command, env }) => command.includes(marker) || env.includes(marker))
    .filter(({ command }) => command !== "")
    .map(({ pid, command }) => ({ pid, command }));
}

function fromPs(marker: string): readonly LeftProcess[] {
  const lines = execFileSync("ps", ["-axeww", "-o", "pid=,command="], { encoding: "utf8" }).split("\n");
  return lines
    .filter((line) => line.includes(marker))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, "") }));
}

/** Living processes, this one aside, whose command or environment names the session's folder. */
export function leftProcesses(folder: string): readonly LeftProcess[] {
  const all = existsSync("/proc/self/environ") ? fromProc(folder) : fromPs(folder);
  return all.filter(({ pid }) => pid !== process.pid);
}

/** Kills what is left; the session's end must not depend on everybody's good manners. */
export function killLeftProcesses(folder: string): void {
  for (const { pid } of leftProcesses(folder)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      continue;
    }
  }
}
