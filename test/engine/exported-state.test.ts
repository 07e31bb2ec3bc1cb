/** Types, names, parents and inputs are people's states: a preview of one that was exported earlier shows no change. */
import { previewOfExported } from "./support/state-fixture";
import { changesOf, stepsOf } from "./support/steps";
import { undisturbed } from "./support/state";

jest.setTimeout(120_000);

test.each(["lab", "hetzner"] as const)("%s: nothing of an exported state would change", async (stack) => {
  const preview = await previewOfExported(stack);
  const { changeSummary } = JSON.parse(preview.stdout) as { changeSummary: Record<string, number> };

  expect(changesOf(stepsOf(preview))).toEqual([]);
  expect(Object.keys(changeSummary)).toEqual(["same"]);
  expect(changeSummary["same"]).toBeGreaterThanOrEqual(undisturbed(stack).length);
});
