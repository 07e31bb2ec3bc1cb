import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Kills nodes that an earlier session with the same folder left behind when it was itself killed. */
export async function killLeftovers(options: { dir: string; simnode: string }): Promise<void> {
  const { stdout } = await run("ps", ["-eo", "pid=,args="], { maxBuffer: 16 * 1024 * 1024 });
  for (const line of stdout.split("\n")) {
    const [, pid, args = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    if (!args.includes(options.simnode) || !args.includes(` --state ${options.dir}/servers/`)) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
