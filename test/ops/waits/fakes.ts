/** A talosctl that answers from files, and a clock that moves only when somebody sleeps. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WaitContext } from "../../../ops/waits/wait";

export interface FakeTalosctl {
  /** What a call whose words start so prints; any other call fails with `connection refused`. */
  answer(words: string, stdout: string): void;
  end(): void;
}

/** In the place of the real binary, as TALOSCTL says. */
export function fakeTalosctl(): FakeTalosctl {
  const folder = mkdtempSync(join(tmpdir(), "talosctl-"));
  const binary = join(folder, "talosctl");
  const before = process.env["TALOSCTL"];
  const script = `#!/bin/sh
words="$1"; shift
for word in "$@"; do
  case "$word" in -*) break ;; esac
  words="$words $word"
done
file="${folder}/$words"
if [ -f "$file" ]; then exec cat "$file"; fi
echo "rpc error: code = Unavailable desc = connection refused" >&2
exit 1
`;
  writeFileSync(binary, script);
  chmodSync(binary, 0o755);
  process.env["TALOSCTL"] = binary;
  return {
    answer: (words, stdout) => writeFileSync(join(folder, words), stdout),
    end: () => {
      rmSync(folder, { recursive: true, force: true });
      if (before === undefined) delete process.env["TALOSCTL"];
      else process.env["TALOSCTL"] = before;
    },
  };
}

/** A clock that moves only when somebody sleeps. */
export function fakeContext(): WaitContext & { readonly lines: string[] } {
  let now = 0;
  const lines: string[] = [];
  return {
    lines,
    print: (line) => lines.push(line),
    now: () => now,
    sleep: async (milliseconds) => void (now += milliseconds),
  };
}

/** What `talosctl service` shows of one node: state, health, last event. */
export const service = (address: string, ...[state, health, event = ""]: readonly string[]): string =>
  [
    `NODE     ${address}`,
    `STATE    ${state ?? ""}`,
    `HEALTH   ${health ?? ""}`,
    `EVENTS   [${state ?? ""}]: ${event} (3s ago)`,
    "",
  ].join("\n");

export const machineStatus = (address: string, stage: string, ready = true): string =>
  `node: ${address}\nspec:\n  stage: ${stage}\n  status:\n    ready: ${String(ready)}\n`;

export const memberTable = (...names: readonly string[]): string =>
  ["NODE       ID   HOSTNAME             LEARNER"]
    .concat(names.map((name, index) => `10.5.0.2   a${index}   ${name.padEnd(18)}   false`))
    .join("\n");
