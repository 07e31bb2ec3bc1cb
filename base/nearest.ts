/** Levenshtein distance, for names of a few dozen characters. */
export function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, character] of Array.from(left).entries()) {
    const current = [row + 1];
    for (const [column, other] of Array.from(right).entries()) {
      const replaced = (previous[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** The known name closest to what was written, case apart; the first of equals, undefined only without candidates. */
export function nearest(written: string, known: readonly string[]): string | undefined {
  const measure = (name: string) => distance(written.toLowerCase(), name.toLowerCase());
  return known
    .map((name) => ({ name, far: measure(name) }))
    .reduce<{ name: string; far: number } | undefined>(
      (best, next) => (best === undefined || next.far < best.far ? next : best),
      undefined,
    )?.name;
}
