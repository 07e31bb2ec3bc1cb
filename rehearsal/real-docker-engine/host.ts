import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const SYSTEM_FOLDERS = ["/usr/sbin", "/sbin", "/usr/local/sbin"];
const CAP_SYS_RESOURCE = 24n;

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Looks on PATH and where Debian keeps system programs. */
export const findProgram = (name: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), ...SYSTEM_FOLDERS]
    .map((folder) => join(folder, name))
    .find(isExecutable);

function otherEngine(): boolean {
  const pid = existsSync("/var/run/docker.pid") ? readFileSync("/var/run/docker.pid", "utf8").trim() : "";
  return pid !== "" && existsSync(`/proc/${pid}`);
}

/** Why no engine can be started here; undefined when one can. */
export function realEngineRefusal(): string | undefined {
  if (process.platform !== "linux") return "not Linux";
  if (process.getuid?.() !== 0) return "not root";
  const missing = ["dockerd", "containerd", "runc", "iptables", "tar"].filter(
    (name) => findProgram(name) === undefined,
  );
  if (missing.length > 0) return `not installed: ${missing.join(", ")}`;
  return otherEngine() ? "another Docker engine runs on this machine" : undefined;
}

/** Without this capability runc cannot start privileged containers: they ask for it. */
export function lacksResourceCapability(): boolean {
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${bounding}`) & (1n << CAP_SYS_RESOURCE)) === 0n;
}

/** Runs a system program; its output, or the empty text when it fails and may. */
export function system(
  name: string,
  args: readonly string[],
  options: { readonly input?: string; readonly mayFail?: boolean } = {},
): string {
  try {
    return execFileSync(findProgram(name) ?? name, [...args], {
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      ...(options.input === undefined ? {} : { input: options.input }),
    });
  } catch (error) {
    if (options.mayFail === true) return "";
    throw error;
  }
}
