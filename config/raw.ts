/** Namespace of every key of this program in a stack file. */
export const namespace = "talos-fleet";

/** Pulumi hands objects and lists over as JSON texts and everything else as text. */
export function parseValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
