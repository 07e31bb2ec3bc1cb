/** How the factory's YAML library understands a plain (unquoted) word, ported from its resolver. */
export type PlainWord =
  | { readonly kind: "null" | "float" | "timestamp" | "string" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly value: bigint };

const nulls = new Set(["", "~", "null", "Null", "NULL"]);
const trues = new Set(["true", "True", "TRUE"]);
const falses = new Set(["false", "False", "FALSE"]);
const namedFloat = /^(?:\.(?:nan|NaN|NAN)|[+-]?\.(?:inf|Inf|INF))$/;
const dotFloat = /^\.\d+(?:_\d+)*(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const decimalFloat = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const integer = /^([+-]?)(?:(0[xX][\dA-Fa-f]+)|(0[bB][01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;

/** Classifies a plain word. `yes`, `off` and `10:20` are strings here: see `isOldWord`. */
export function plainWord(text: string): PlainWord {
  if (nulls.has(text)) return { kind: "null" };
  if (trues.has(text)) return { kind: "bool", value: true };
  if (falses.has(text)) return { kind: "bool", value: false };
  if (namedFloat.test(text)) return { kind: "float" };
  if (text.startsWith(".")) {
    const finite = dotFloat.test(text) && Number.isFinite(Number(text.replaceAll("_", "")));
    return { kind: finite ? "float" : "string" };
  }
  return /^[-+\d]/.test(text) ? numberWord(text) : { kind: "string" };
}

function numberWord(text: string): PlainWord {
  if (isTimestamp(text)) return { kind: "timestamp" };
  const plain = text.replaceAll("_", "");
  const value = parseInteger(plain);
  if (value !== undefined) return { kind: "int", value };
  const float = decimalFloat.test(plain) && Number.isFinite(Number(plain));
  return { kind: float ? "float" : "string" };
}

/** Go's base-0 syntax within int64, or uint64 without a sign. */
function parseInteger(plain: string): bigint | undefined {
  const match = integer.exec(plain);
  if (!match) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = hex ?? binary ?? (octal === undefined ? (decimal ?? "0") : `0o${octal}`);
  const magnitude = BigInt(digits.toLowerCase());
  const value = sign === "-" ? -magnitude : magnitude;
  const limit = sign === "" ? 2n ** 64n : 2n ** 63n;
  return value < limit && value >= -(2n ** 63n) ? value : undefined;
}

const date = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`;
const time = String.raw`(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?`;
const zone = String.raw`(?:Z|[+-](\d{2}):(\d{2}))`;
const timestamps = [
  new RegExp(`^${date}$`),
  new RegExp(`^${date}[Tt]${time}${zone}$`),
  new RegExp(`^${date} +${time}$`),
];

function isTimestamp(text: string): boolean {
  const match = timestamps.map((format) => format.exec(text)).find((found) => found !== null);
  if (!match) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const inClock = hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute <= 60;
  return inClock && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return leap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const oldBool = /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF)$/;
const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** The meaning of a YAML 1.1 yes/no word, which only boolean fields still give it. */
export function oldBoolean(text: string): boolean | undefined {
  return oldBool.test(text) ? /^(?:y|on)/i.test(text) : undefined;
}

/** Words that YAML 1.1 read as booleans or base-60 numbers: always quoted, but not alike in all dialects. */
export function isOldWord(text: string): boolean {
  return oldBool.test(text) || base60.test(text);
}

/** `0b+1`, `0o-7`: numbers to the oldest library only. */
export function isOldNumber(text: string): boolean {
  const match = /^0(?:b([+-][01]+)|o([+-][0-7]+))$/.exec(text.replaceAll("_", ""));
  if (!match || !/^\d/.test(text)) return false;
  const digits = match[1] ?? match[2] ?? "";
  const magnitude = BigInt(`${match[1] === undefined ? "0o" : "0b"}${digits.slice(1)}`);
  return digits.startsWith("-") ? magnitude <= 2n ** 63n : magnitude < 2n ** 63n;
}
