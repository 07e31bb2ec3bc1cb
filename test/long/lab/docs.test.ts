/** Every command of docs/lab.md, as it stands there and in its order, on a real engine. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { runCommand } from "../../../rehearsal/session/run";
import { onPath } from "../../../toolchain/installed";
import { checkout, startLabRig, type LabRig } from "../../lab/support";
import { onRealEngine } from "../../../rehearsal/test/long/real-docker-engine/support";

const BLOCK = /^```sh\n([\s\S]*?)^```$/gm;
const commands = [...readFileSync(join(checkout, "docs/lab.md"), "utf8").matchAll(BLOCK)].flatMap(
  ([, block]) => (block ?? "").trim().split("\n"),
);
const missing = (command: string): boolean => onPath(command.split(" ")[0] ?? "") === undefined;
/** pulumi and talosctl come with the rehearsal; kubectl does not. */
const untried = commands.filter((command) => command.startsWith("kubectl ") && missing(command));

let rig: LabRig;
let env: Record<string, string>;

/** What preflight may find on the machine of this test; a subnet or port that clashes it must not. */
const OF_THIS_MACHINE = new Set(["stop  cgroup v2"]);

const onlyOfThisMachine = (command: string, stdout: string): boolean =>
  command.includes(" preflight ") &&
  stdout.split("\n").every((line) => !line.startsWith("stop ") || OF_THIS_MACHINE.has(line));

/** `pulumi` for plugins that are attached: they are not to be looked for. */
function shim(folder: string, pulumi: string): void {
  mkdirSync(folder);
  const script = `#!/bin/sh
case "$1" in up | preview | destroy) set -- "$@" --skip-plugin-pre-install ;; esac
exec ${pulumi} "$@"
`;
  writeFileSync(join(folder, "pulumi"), script, { mode: 0o755 });
}

function all(): void {
  jest.setTimeout(120_000);
  beforeAll(async () => {
    rig = await startLabRig(["v1.13.9", "v1.13.10"], { "talos-fleet:talosVersion": "v1.13.9" });
    const { lab, engine } = rig;
    const programs = join(lab.session.folder, "programs");
    shim(programs, join(lab.env["PATH"]?.split(delimiter)[0] ?? "", "pulumi"));
    env = {
      ...lab.env,
      PATH: [programs, lab.env["PATH"]].join(delimiter),
      PULUMI_SKIP_CONFIRMATIONS: "true",
      DOCKER_HOST: engine.host,
    };
  }, 300_000);
  afterAll(() => rig.end());

  test.each(commands.filter((command) => !untried.includes(command)))("%s", async (command) => {
    const line = { command: "/bin/sh", args: ["-c", command], cwd: rig.lab.session.project, env };
    const { code, stdout, stderr } = await runCommand(line);
    if (code !== 0 && !onlyOfThisMachine(command, stdout))
      throw new Error(`exit code ${code}:\n${stdout.slice(-4000)}\n${stderr}`);
  });

  test("the second lab goes as the first did", async () => {
    expect((await rig.lab.destroy("second")).code).toBe(0);
    expect(await rig.lab.engineObjects()).toEqual([]);
  });

  if (untried.length > 0)
    test.skip(`kubectl is not installed: not tried: ${untried.join("; ")}`, () => undefined);
}

test("the page holds commands", () => {
  expect(commands.length).toBeGreaterThan(15);
});

onRealEngine("the commands of docs/lab.md", all);
