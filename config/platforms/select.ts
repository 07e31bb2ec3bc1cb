/** The only place in the configuration that knows all platforms. */
import type { z } from "zod";

import type { NoteRule, Rule, RuleInput } from "../rules/input";
import type { ClusterPlan, PlatformName } from "../types";
import * as docker from "./docker/schema";
import { dockerSlice } from "./docker/slice";
import * as hetzner from "./hetzner/schema";
import { hetznerSlice } from "./hetzner/slice";
import type { PlanParts, PlanView, PlatformSlice } from "./slice";

type PlanOf<Name extends PlatformName> = Extract<ClusterPlan, { platform: Name }>;

const slices: { readonly [Name in PlatformName]: PlatformSlice<PlanOf<Name>> } = {
  docker: dockerSlice,
  hetzner: hetznerSlice,
};

/** Each platform's section of the stack file, under its name. */
export const sections = {
  docker: docker.section.optional(),
  hetzner: hetzner.section.optional(),
} satisfies Record<PlatformName, z.ZodType>;

/** What a group of nodes may say besides, on one platform or another. */
export const nodeFields = { ...hetzner.nodeFields };

export const platformNames = Object.keys(slices) as PlatformName[];

type Drafted = Omit<PlatformSlice<ClusterPlan>, "plan" | "view">;

/** The part of a platform that asks no plan. */
export const platformOf = (name: PlatformName): Drafted => slices[name];

export const platformPlan = (name: PlatformName, parts: PlanParts): ClusterPlan => slices[name].plan(parts);

export function platformView(plan: ClusterPlan): PlanView {
  switch (plan.platform) {
    case "docker":
      return slices.docker.view(plan);
    case "hetzner":
      return slices.hetzner.view(plan);
  }
}

type Ask<Answer> = (input: RuleInput) => readonly Answer[];

/** A rule speaks where the platform is its own, or where the platform is misspelt and its section is there. */
function ofPlatform<Answer>(name: PlatformName, ask: Ask<Answer>): Ask<Answer> {
  return (input) => {
    const { platform, [name]: section } = input.draft;
    return platform === name || (platform === undefined && section !== undefined) ? ask(input) : [];
  };
}

function collected<Answer>(pick: (slice: Drafted) => Readonly<Record<string, Ask<Answer>>>) {
  const entries = platformNames.flatMap((name) =>
    Object.entries(pick(slices[name])).map(([rule, ask]) => [rule, ofPlatform(name, ask)] as const),
  );
  return Object.fromEntries(entries);
}

export const platformRules: Readonly<Record<string, Rule>> = collected(({ rules }) => rules);
export const platformUpRules: Readonly<Record<string, Rule>> = collected(({ upRules }) => upRules);
export const platformNotes: Readonly<Record<string, NoteRule>> = collected(({ notes }) => notes);
