import * as platforms from "../platforms/select";
import { addressRules } from "./addresses";
import { countRules } from "./counts";
import type { NoteRule, Rule } from "./input";
import { labelRules } from "./labels";
import { nameRules } from "./names";
import { patchKeyRules } from "./patch-keys";
import { patchOwnedRules } from "./patch-owned";
import { patchUseRules } from "./patch-use";
import { platformRules } from "./platforms";
import { rangeRules } from "./ranges";
import { versionNotes, versionRules } from "./versions";

/** Every rule between keys that holds in every run, in the order in which their faults are printed. */
export const rules: Readonly<Record<string, Rule>> = {
  ...nameRules,
  ...versionRules,
  ...platformRules,
  ...platforms.platformRules,
  ...countRules,
  ...addressRules,
  ...rangeRules,
  ...labelRules,
  ...patchKeyRules,
  ...patchOwnedRules,
  ...patchUseRules,
};

/** What must hold only when something is about to be created. */
export const upRules: Readonly<Record<string, Rule>> = platforms.platformUpRules;

export const notes: Readonly<Record<string, NoteRule>> = { ...versionNotes, ...platforms.platformNotes };
