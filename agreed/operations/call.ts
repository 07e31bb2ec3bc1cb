/** How the program calls `talos-fleet`: the words of the call, and the shape of what goes in on standard input. */
import type { z } from "zod";

export interface Call<Schema extends z.ZodType> {
  /** After `talos-fleet`: `wait node`. Part of a resource's inputs: another text would run the call anew everywhere. */
  readonly words: string;
  readonly input: Schema;
}

export type InputOf<Made> = Made extends Call<infer Schema> ? z.input<Schema> : never;
