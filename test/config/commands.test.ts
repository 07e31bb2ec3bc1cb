import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";

import { Command } from "commander";

import { register as registerCheck } from "../../ops/check/command";
import { register as registerPlan } from "../../ops/plan/command";

const root = path.join(__dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "talos-fleet-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** As on a machine without talosctl, whatever is installed here. */
const talosctl = process.env["TALOSCTL"];
beforeAll(() => {
  process.env["TALOSCTL"] = path.join(folder, "none");
});
afterAll(() => {
  if (talosctl === undefined) delete process.env["TALOSCTL"];
  else process.env["TALOSCTL"] = talosctl;
});

const stack = (name: string) => path.join(root, `Pulumi.${name}.yaml`);

async function run(...words: string[]): Promise<{ printed: string; code: typeof process.exitCode }> {
  const program = new Command().exitOverride();
  registerCheck(program);
  registerPlan(program);
  const write = jest.spyOn(process.stdout, "write").mockReturnValue(true);
  const before = process.exitCode;
  process.exitCode = undefined;
  try {
    await program.parseAsync(words, { from: "user" });
    return { printed: write.mock.calls.map(([text]) => String(text)).join(""), code: process.exitCode };
  } finally {
    process.exitCode = before;
    write.mockRestore();
  }
}

function written(name: string, text: string): string {
  const file = path.join(folder, `Pulumi.${name}.yaml`);
  writeFileSync(file, text);
  return file;
}

const smallest = (platform: string, more: string) => `config:
  talos-fleet:platform: ${platform}
  talos-fleet:talosVersion: v1.13.10
  talos-fleet:kubernetesVersion: 1.36.4
  talos-fleet:talosContract: v1.13
  talos-fleet:controlPlanes: { count: 1 }
${more}`;
const plain = "  talos-fleet:schematic: { customization: {} }\n";

function faulty(): string {
  const file = path.join(folder, "Pulumi.bad.yaml");
  writeFileSync(file, "config:\n  talos-fleet:platform: dokcer\n  talos-fleet:controlPlanes: { count: 2 }\n");
  return file;
}

test("check says that the lab has no fault, and that nobody judged the values where there is no talosctl", async () => {
  expect(await run("check", stack("lab"))).toEqual({
    printed: `${stack("lab")}: no fault\nnote: patches: (values inside): not judged: there is no talosctl here (make doctor says how to get it)\n`,
    code: undefined,
  });
});

test("check says what the fleet still lacks before up, and refuses only when asked for up", async () => {
  const preview = await run("check", stack("hetzner"));
  const up = await run("check", "--up", stack("hetzner"));

  expect(preview.printed).toMatch(
    /no fault\nbefore `up`:\n {2}hetzner\.adminCidrs\[0\]: .*\n {2}hetzner\.imageId: /,
  );
  expect(preview.code).toBeUndefined();
  expect(up.printed).toMatch(/: 2 faults\n/);
  expect(up.code).toBe(1);
});

test("check prints every fault, as lines and as JSON, and the answer is no", async () => {
  const text = await run("check", faulty());
  const json = await run("check", "--json", faulty());

  expect(text.printed).toContain("platform: dokcer: is not a platform; write docker or hetzner\n");
  expect(text.printed).toContain("controlPlanes.count: 2: ");
  expect(text.code).toBe(1);
  expect(JSON.parse(json.printed)).toMatchObject({
    ok: false,
    faults: expect.arrayContaining([
      { key: "platform", value: "dokcer", rule: "is not a platform", repair: "write docker or hetzner" },
    ]) as unknown,
  });
  expect(json.code).toBe(1);
});

test("check prints what is only worth knowing as a note, and the answer stays yes", async () => {
  const file = written("new", smallest("docker", plain).replace("1.36.4", "1.36.99"));
  const { printed, code } = await run("check", file);
  const json = JSON.parse((await run("check", "--json", file)).printed) as { ok: boolean; notes: unknown[] };

  expect(printed).toMatch(
    /: no fault\nnote: talosVersion and kubernetesVersion: v1\.13\.10 with 1\.36\.99: not among .*\n$/,
  );
  expect(code).toBeUndefined();
  expect(json).toMatchObject({ ok: true, notes: [{ value: "v1.13.10 with 1.36.99" }] });
});

test("an overlay for boards in a fleet makes a note", async () => {
  const schematic = "  talos-fleet:schematic: { overlay: { image: x/y, name: rpi_generic } }\n";
  const hetzner = "  talos-fleet:hetzner: { adminCidrs: [198.18.0.0/24] }\n";
  const { printed, code } = await run("check", written("board", smallest("hetzner", schematic + hetzner)));

  expect(printed).toContain(
    "note: schematic: schematic: The overlay rpi_generic is for single-board computers",
  );
  expect(code).toBeUndefined();
});

test("check asks each rule once, and tells each fault once", async () => {
  const { faults, beforeUp } = JSON.parse((await run("check", "--json", stack("hetzner"))).printed) as Record<
    string,
    unknown[]
  >;
  const all = [...(faults ?? []), ...(beforeUp ?? [])].map((fault) => JSON.stringify(fault));

  expect(new Set(all).size).toBe(all.length);
  expect(faults).toEqual([]);
  expect(beforeUp).toHaveLength(2);
});

test("a join token in a schematic and a password in an engine's address are not printed", async () => {
  const schematic =
    '  talos-fleet:schematic: { customization: { extraKernelArgs: "siderolink.api=https://x?jointoken=sesame" } }\n';
  const docker = '  talos-fleet:docker: { host: "tcp://user:sesame@192.0.2.1:1" }\n';
  const file = written("secret", smallest("docker", schematic + docker));
  const printed = (await run("check", file)).printed + (await run("check", "--json", file)).printed;

  expect(printed).toContain("customization.extraKernelArgs: (value not shown)");
  expect(printed).not.toContain("sesame");
});

test.each(["check", "plan"])("%s writes no control character of a file to the terminal", async (command) => {
  const text = smallest("docker", '  talos-fleet:patches: { all: ["a\\eb.yaml"] }\n' + plain);
  writeFileSync(path.join(folder, "a\u001bb.yaml"), 'machine: { sysctls: { a.b: "1" } }\n');
  const { printed } = await run(command, written("escape", text));

  expect(printed).not.toContain("\u001b");
  expect((await run("plan", written("escape", text))).printed).toContain("a\\u001bb.yaml");
});

test.each(["check", "plan"])(
  "%s --json prints what keeps it from reading the file as JSON too",
  async (command) => {
    const { printed, code } = await run(command, "--json", path.join(folder, "Pulumi.none.yaml"));

    expect(JSON.parse(printed)).toMatchObject({ faults: [{ key: "stack file" }] });
    expect(code).toBe(2);
  },
);

test("plan shows the lab's nodes, ports and patches in order", async () => {
  const { printed } = await run("plan", stack("lab"));

  expect(printed).toMatch(/lab-worker-1 +│ worker +│ 10\.5\.0\.3 +│ 50001 +│ 1 3 /);
  expect(printed).toContain("  3  patches.workers[0] (config/patches/worker.patch.yaml)\n");
  expect(printed).not.toContain("EUR");
});

test("plan shows the fleet's groups and price", async () => {
  const { printed } = await run("plan", stack("hetzner"));

  expect(printed).toMatch(
    /hetzner-worker-14 +│ worker +│ 10\.0\.1\.114 +│ cpx32 +│ fsn1 +│ hetzner-worker-1 /,
  );
  expect(printed).toContain("price: 579.82 EUR a month without VAT (prices since 2026-06-15)\n");
});

test("plan as JSON keeps the patches' contents out", async () => {
  const { printed } = await run("plan", "--json", stack("hetzner"));
  const plan = JSON.parse(printed) as { nodes: { patches: unknown }[]; price: unknown };

  expect(plan.nodes).toHaveLength(17);
  expect(plan.nodes[0]?.patches).toEqual([
    "patches.all[0] (config/patches/lab.patch.yaml)",
    "patches.controlPlanes[0] (config/patches/controlplane.patch.yaml)",
  ]);
  expect(plan.price).toMatchObject({ net: 579.82 });
  expect(printed).not.toContain("event-ttl");
});

test("plan of a file with faults throws them, for the command's exit code 2", async () => {
  await expect(run("plan", faulty())).rejects.toThrow(/The configuration has \d+ faults/);
});
