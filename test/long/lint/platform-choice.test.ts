/** Who tells platforms apart by their names is found, in whatever form, by the project's own lint configuration. */
import { lintWithOnly } from "../../lint/only";

jest.setTimeout(180_000);

const MESSAGE = "Only a select file tells platforms apart: put this into the platform's slice.";
/** Needs no import, so it is found from any folder. */
const NAMED = 'export const own = loose.platform === "docker";';
const RULE = "talos-fleet/no-platform-choice";
const lint = lintWithOnly([RULE], "typed");

const head = `
import { schematicUses } from "../factory/platforms";
import type { ClusterPlan, PlatformName } from "../config/types";
export declare const plan: ClusterPlan;
export declare const other: PlatformName;
export declare const perhaps: { readonly platform?: PlatformName };
export declare const loose: { readonly platform: string; readonly kind: string };
export declare const image: "metal" | "hcloud";
export const p = plan.platform;
export const DOCKER = "docker";
export const uses = schematicUses;
`;

async function found(code: string, file = "machine/image.ts"): Promise<string[]> {
  return (await lint(file, `${head}${code}`)).map(({ message }) => message);
}

const choices = [
  ["a comparison", 'export const a = plan.platform === "docker";'],
  ["the other way round, loosely", 'export const a = "hetzner" != plan.platform;'],
  ["a renamed variable", 'export const a = p === "docker";'],
  ["a variable taken apart", 'const { platform: it } = plan; export const a = it !== "docker";'],
  ["a constant", "export const a = plan.platform === DOCKER;"],
  ["a template literal", "export const a = plan.platform === `docker`;"],
  ["the platform in a template literal", 'export const a = `${plan.platform}` === "docker";'],
  ["a wider type", 'export const a = (plan.platform as string) === "docker";'],
  ["the name where any text may be", 'export const a = loose.platform === "docker";'],
  ["one that may be missing", 'export const a = perhaps.platform === "docker";'],
  ["a text that nobody knows", "export const a = plan.platform === loose.kind;"],
  ["a list", 'export const a = ["docker"].includes(plan.platform);'],
  ["a list by index", 'export const a = ["docker"].indexOf(p) >= 0;'],
  ["a set", 'export const a = new Set<string>(["docker"]).has(plan.platform);'],
  ["a pattern", "export const a = /^d/.test(plan.platform);"],
  ["its first letters", 'export const a = plan.platform.startsWith("d");'],
  ["Object.is", 'export const a = Object.is(plan.platform, "docker");'],
  ["a record", "export const a = { docker: 1, hetzner: 2 }[plan.platform];"],
  [
    "a record elsewhere",
    "const sizes: Record<PlatformName, number> = JSON.parse('{}'); export const a = sizes[p];",
  ],
  ["a map", 'export const a = new Map<string, number>([["docker", 1]]).get(p);'],
  [
    "a switch",
    'export function a() { switch (plan.platform) { case "docker": return 1; default: return 2; } }',
  ],
  [
    "a switch on true",
    'export function a() { switch (true) { case p === "docker": return 1; default: return 2; } }',
  ],
  ["a section that only one plan has", 'export const a = "docker" in plan;'],
] as const;

test.each(choices)("found: %s", async (_what, code) => {
  expect(await found(code)).toEqual([MESSAGE]);
});

test.each([
  ["whether there is one", "export const a = perhaps.platform === undefined;"],
  ["two platforms that are the same", "export const a = plan.platform === other;"],
  ["a record of a select file", "export const a = schematicUses[plan.platform].boots;"],
  ["a message", "export const a = `on ${plan.platform}`;"],
  ["another text", 'export const a = loose.kind === "docker";'],
  ["another kind of platform", 'export const a = process.platform === "linux";'],
  ["the image's platform", 'export const a = image === "metal";'],
  ["a plan of one platform", 'export const a = { docker: { platform: "docker" } };'],
])("left alone: %s", async (_what, code) => {
  expect(await found(code)).toEqual([]);
});

test.each([
  "factory/platforms.ts",
  "config/platforms/select.ts",
  "machine/reserve.ts",
  "machine/groups.ts",
  "components/platforms/select.ts",
  "ops/platforms/select.ts",
])("%s is a place for it", async (file) => {
  expect(await found(NAMED, file)).toEqual([]);
});

test.each(["rehearsal/run-pulumi.ts", "bench/lab.ts", "config/load.ts", "index.ts", "ops/plan/command.ts"])(
  "%s is not",
  async (file) => {
    expect(await found(NAMED, file)).toEqual([MESSAGE]);
  },
);
