import { messageOf } from "../../base/text";

/** What was found, or why nothing could be seen. */
export type Look<T> = { readonly found: T } | { readonly fault: string };

/** Turns a thrown error into a fault to show. */
export async function look<T>(see: () => T | Promise<T>): Promise<Look<T>> {
  try {
    return { found: await see() };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}
