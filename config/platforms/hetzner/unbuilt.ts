import type { Rule } from "../../rules/input";

const builderWaits: Rule = ({ draft }) =>
  draft.hetzner?.builder === undefined
    ? []
    : [
        {
          key: "hetzner.builder",
          value: "(a mapping)",
          rule: "the program does not build snapshots yet, and nothing would read this",
          repair: "remove it, and set hetzner.imageId to the id of a snapshot that was made by hand",
        },
      ];

export const unbuiltRules = { builderWaits };
