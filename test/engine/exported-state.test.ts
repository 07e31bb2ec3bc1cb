/** Types, names, parents and inputs are people's states: a preview of one that was exported earlier shows no change. */
import { previewOfExported } from "./support/state-fixture";
import { changesOf, stepsOf, titlesOf } from "./support/steps";
import { undisturbed } from "./support/state";

jest.setTimeout(120_000);

test.each(["lab", "hetzner"] as const)("%s: nothing of an exported state would change", async (stack) => {
  const steps = stepsOf(await previewOfExported(stack));

  expect(changesOf(steps)).toEqual([]);
  expect(titlesOf(steps.filter(({ op }) => op === "same"))).toEqual(
    expect.arrayContaining(undisturbed(stack)),
  );
});
