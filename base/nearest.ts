/** Edits between two names of a few dozen characters; two neighbours that changed places are one (optimal string alignment). */
export function distance(left: string, right: string): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 0; row < left.length; row += 1) {
    const current = [row + 1];
    for (let column = 0; column < right.length; column += 1) {
      const isSame = left[row] === right[column];
      const isSwapped = left[row] === right[column - 1] && left[row - 1] === right[column];
      current.push(
        Math.min(
          (previous[column] ?? 0) + (isSame ? 0 : 1),
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          row > 0 && column > 0 && isSwapped ? (before[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = previous;
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** The known name closest to what was written, case apart; the first of equals, undefined when none is near. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const lower = written.toLowerCase();
  let best: { readonly name: string; readonly far: number } | undefined;
  for (const name of known) {
    const limit = Math.max(1, Math.floor(Math.max(written.length, name.length) * 0.4));
    // Cheaper than the distance, which is never less.
    if (Math.abs(written.length - name.length) > limit) continue;
    const far = distance(lower, name.toLowerCase());
    if (far <= limit && (best === undefined || far < best.far)) best = { name, far };
  }
  return best?.name;
}

/** A repair for a misspelt name: what is near, else what is known. */
export function didYouMean(written: string, known: readonly string[]): string {
  const near = nearest(written, known);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length === 0 ? "remove it" : `write one of ${known.join(", ")}`;
}
