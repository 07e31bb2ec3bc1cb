/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new Error("median of nothing");
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Runs all cases in turn, `rounds` times, so that a busy moment hits all of them alike; gives seconds per case. */
export async function interleaved(
  cases: Readonly<Record<string, () => Promise<void>>>,
  rounds: number,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(cases)) {
      const started = performance.now();
      await run();
      times[name]?.push((performance.now() - started) / 1000);
    }
  }
  return times;
}
