/** Go durations, in which the plugin's time-outs are given. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const whole = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const part = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Milliseconds of a Go duration ("1h30m", "500ms"); undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (!whole.test(text)) return undefined;
  const sum = [...text.matchAll(part)].reduce(
    (total, [, amount, unit]) => total + Number(amount) * (units[unit ?? ""] ?? 0),
    0,
  );
  return text.startsWith("-") ? -sum : sum;
}

/** The plugin's reason for refusing a duration; undefined when it is right. */
export const durationFault = (value: unknown): string | undefined =>
  typeof value === "string" && parseDuration(value) === undefined
    ? `Invalid Attribute Value Time Duration. ${JSON.stringify(value)} must be a string containing a sequence of decimal numbers, each with optional fraction and a unit suffix, such as "300ms", "-1.5h" or "2h45m". Valid time units are "ns", "us" (or "µs"), "ms", "s", "m", "h".`
    : undefined;
