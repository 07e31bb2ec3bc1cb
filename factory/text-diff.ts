/** A line diff of two short texts: every line once, marked `- `, `+ ` or `  `. */
export function textDiff(expected: string, actual: string): string {
  const [left, right] = [toLines(expected), toLines(actual)];
  const common = commonLengths(left, right);
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    const [old, fresh] = [left[row], right[column]];
    if (old !== undefined && old === fresh) {
      lines.push(`  ${old}`);
      [row, column] = [row + 1, column + 1];
    } else if (
      old !== undefined &&
      (fresh === undefined || at(common, row + 1, column) >= at(common, row, column + 1))
    ) {
      lines.push(`- ${old}`);
      row += 1;
    } else {
      lines.push(`+ ${fresh ?? ""}`);
      column += 1;
    }
  }
  return lines.join("\n");
}

/** A missing final line break is shown, since it changes the id. */
function toLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return last === "" ? lines : [...lines, `${last} (no line break at the end)`];
}

/** Lengths of the longest common subsequences of all pairs of tails. */
function commonLengths(left: readonly string[], right: readonly string[]): number[][] {
  const table = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let row = left.length - 1; row >= 0; row -= 1) {
    const cells = table[row] ?? [];
    for (let column = right.length - 1; column >= 0; column -= 1) {
      const same = left[row] === right[column];
      cells[column] = same
        ? at(table, row + 1, column + 1) + 1
        : Math.max(at(table, row + 1, column), at(table, row, column + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], row: number, column: number): number {
  return table[row]?.[column] ?? 0;
}
