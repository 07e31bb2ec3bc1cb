/** What the program hands to an operation: JSON on standard input, never in arguments. */
import { text } from "node:stream/consumers";
import type { z } from "zod";
import { BadInput } from "./bad-input";

/** @throws BadInput when standard input is not what the operation takes; names the fields, never their values. */
export async function readInput<T>(schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(parseJson(await text(process.stdin)));
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new BadInput(
    `standard input: ${fields.join("; ")}; the program and the command are of different versions`,
  );
}

/** Node's own message shows a piece of the text, which holds credentials. */
function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadInput("standard input: is not JSON; the program gives it when it calls this command");
  }
}
