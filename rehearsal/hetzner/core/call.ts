import { z } from "zod";
import { invalidFields } from "./errors";
import type { World } from "./world";

/** One request on its way through a handler. */
export interface Call {
  readonly world: World;
  /** The number in the path; 0 where there is none. */
  readonly id: number;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export interface Reply {
  readonly status: number;
  readonly body?: object;
}

/** Handlers are synchronous, so that each request is carried out as a whole. */
export type Handler = (call: Call) => Reply;

/** `GET /servers/:id` and what serves it. */
export type Route = readonly [pattern: string, handler: Handler];

export const ok = (body: object): Reply => ({ status: 200, body });
export const created = (body: object): Reply => ({ status: 201, body });
export const noContent: Reply = { status: 204 };

/** The body read by a schema; every fault becomes a field of `invalid_input`. A missing body is an empty object. */
export function read<T>(call: Call, schema: z.ZodType<T>): T {
  const result = schema.safeParse(call.body ?? {});
  if (result.success) return result.data;
  const fields = new Map<string, string[]>();
  for (const issue of result.error.issues) {
    const name = issue.path.join(".");
    fields.set(name, [...(fields.get(name) ?? []), issue.message]);
  }
  throw invalidFields([...fields].map(([name, messages]) => ({ name, messages })));
}

export const labels = z.record(z.string(), z.string()).nullish();
/** An id, or a name, as a number or a string. */
export const reference = z.union([z.number().int(), z.string().min(1)]);
export const hostname = z
  .string()
  .regex(/^(?=.{1,63}$)[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/, "name must be a valid hostname.");
export const name = z.string().min(1).max(128);
