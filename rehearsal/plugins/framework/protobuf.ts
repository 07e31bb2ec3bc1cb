/** The protobuf runtime that Pulumi's generated messages were made with: two copies must not mix. */
import { createRequire } from "node:module";

const beside = createRequire(require.resolve("@pulumi/pulumi/proto/provider_pb"));

const struct = beside(
  "google-protobuf/google/protobuf/struct_pb",
) as typeof import("google-protobuf/google/protobuf/struct_pb");
const empty = beside(
  "google-protobuf/google/protobuf/empty_pb",
) as typeof import("google-protobuf/google/protobuf/empty_pb");
const any = beside(
  "google-protobuf/google/protobuf/any_pb",
) as typeof import("google-protobuf/google/protobuf/any_pb");

export const { Struct } = struct;
export const { Empty } = empty;
export const { Any } = any;
export type Struct = import("google-protobuf/google/protobuf/struct_pb").Struct;
