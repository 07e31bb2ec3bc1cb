import { accessRules } from "./access";
import { addressRules } from "./addresses";
import { countRules } from "./counts";
import type { Rule } from "./input";
import { labelRules } from "./labels";
import { nameRules } from "./names";
import { patchDeleteRules } from "./patch-deletes";
import { patchKeyRules } from "./patch-keys";
import { patchOwnedRules } from "./patch-owned";
import { patchRoleRules } from "./patch-roles";
import { patchUseRules } from "./patch-use";
import { platformRules } from "./platforms";
import { rangeRules } from "./ranges";
import { versionRules } from "./versions";

/** Every rule between keys, in the order in which their faults are printed. */
export const rules: Readonly<Record<string, Rule>> = {
  ...nameRules,
  ...versionRules,
  ...platformRules,
  ...countRules,
  ...addressRules,
  ...rangeRules,
  ...accessRules,
  ...labelRules,
  ...patchKeyRules,
  ...patchOwnedRules,
  ...patchDeleteRules,
  ...patchRoleRules,
  ...patchUseRules,
};
