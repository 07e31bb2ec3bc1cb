import { patchDeleteRules } from "../../config/rules/patch-deletes";
import { changed, inspect } from "./fixtures";

/** How often the rule asks where a patch belongs, for so many patches that delete what is absent. */
function asked(count: number): number {
  const all = Array.from({ length: count }, (_, index) => ({
    machine: { sysctls: { [`a.b${index}`]: { $patch: "delete" } } },
  }));
  const { draft, layout, stack, patches } = inspect(changed("lab", { patches: { all } })).sources;
  let times = 0;
  const counted = patches.map((patch) => ({
    ...patch,
    get scope() {
      times += 1;
      return patch.scope;
    },
  }));

  expect(patchDeleteRules.deletionsFindSomething({ draft, layout, stack, patches: counted })).toHaveLength(
    count,
  );
  return times;
}

test("ten times as many deletions of what is absent are ten times the work, not a hundred times", () => {
  expect(asked(400)).toBeLessThanOrEqual(10 * asked(40));
});
