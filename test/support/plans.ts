/** The plans of the committed stacks, as the program resolves them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { resolveConfig } from "../../config/resolve";
import type { ClusterPlan, DockerClusterPlan, HetznerClusterPlan } from "../../config/types";

const root = join(__dirname, "../..");

/** The `talos-fleet` keys of a committed stack file, with some of them replaced. */
export function stackKeys(
  stack: "lab" | "hetzner",
  overrides: Record<string, unknown> = {},
): Record<string, unknown> {
  const file = parse(readFileSync(join(root, `Pulumi.${stack}.yaml`), "utf8")) as {
    config: Record<string, unknown>;
  };
  const own = Object.entries(file.config).filter(([key]) => key.startsWith("talos-fleet:"));
  return {
    ...Object.fromEntries(own.map(([key, value]) => [key.slice("talos-fleet:".length), value])),
    ...overrides,
  };
}

function plan(stack: "lab" | "hetzner", overrides: Record<string, unknown>): ClusterPlan {
  return resolveConfig(stackKeys(stack, overrides), {
    readText: (path) => readFileSync(join(root, path), "utf8"),
    stack,
    phase: "preview",
    tokenPresent: false,
  });
}

export const labPlan = (overrides: Record<string, unknown> = {}): DockerClusterPlan =>
  plan("lab", overrides) as DockerClusterPlan;

export const hetznerPlan = (overrides: Record<string, unknown> = {}): HetznerClusterPlan =>
  plan("hetzner", overrides) as HetznerClusterPlan;
