import type { Input } from "@pulumi/pulumi";

/** A plain type as an argument: at every depth a value, a promise of it, or an Output of it. */
export type Args<T> = T extends readonly (infer Element)[]
  ? Input<Args<Element>>[]
  : T extends object
    ? { [Key in keyof T]: Input<Args<T[Key]>> }
    : T;
