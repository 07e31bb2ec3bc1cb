const isDigit = (char: string) => /\p{Nd}/u.test(char);
const isLetter = (char: string) => /\p{L}/u.test(char);

/** The YAML library's key order: digit runs compare as numbers, letters come after other characters. */
export function compareKeys(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  const at = a.findIndex((char, index) => index >= b.length || char !== b[index]);
  if (at < 0 || at >= b.length) return a.length - b.length;
  return compareFrom(a, b, at);
}

function compareFrom(a: readonly string[], b: readonly string[], at: number): number {
  const [charA = "", charB = ""] = [a[at], b[at]];
  const [letterA, letterB] = [isLetter(charA), isLetter(charB)];
  if (letterA && letterB) return codePoint(charA) - codePoint(charB);
  if (letterA || letterB) {
    const afterDigit = at > 0 && isDigit(a[at - 1] ?? "");
    return letterA === afterDigit ? -1 : 1;
  }
  const seed = charA === "0" || charB === "0" ? insideNumber(a, at) : 0n;
  const runA = digitRun(a, at, seed);
  const runB = digitRun(b, at, seed);
  if (runA.value !== runB.value) return runA.value < runB.value ? -1 : 1;
  return runA.end === runB.end ? codePoint(charA) - codePoint(charB) : runA.end - runB.end;
}

/** 1 when a non-zero digit stands before a zero: leading zeros then count. */
function insideNumber(chars: readonly string[], at: number): bigint {
  for (let index = at - 1; index >= 0 && isDigit(chars[index] ?? ""); index -= 1) {
    if (chars[index] !== "0") return 1n;
  }
  return 0n;
}

function digitRun(chars: readonly string[], at: number, seed: bigint): { value: bigint; end: number } {
  let value = seed;
  let end = at;
  for (; end < chars.length && isDigit(chars[end] ?? ""); end += 1) {
    value = BigInt.asIntN(64, value * 10n + BigInt(codePoint(chars[end] ?? "") - 48));
  }
  return { value, end };
}

function codePoint(char: string): number {
  return char.codePointAt(0) ?? 0;
}
