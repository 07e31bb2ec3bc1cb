import { z } from "zod";

import { isLabelValue, isQualifiedName, nameForm } from "../base/label-syntax";
import { nodeFields, platformNames, sections } from "./platforms/select";
import { flag, says, strict, text, version, wholeNumber } from "./schema-parts";

const count = wholeNumber(1, 100);
const firstAddress = wholeNumber(2, 65534);
const url = z
  .string(says("must be a URL", "write it like https://factory.example.net"))
  .regex(
    /^https?:\/\/[^\s/?#]+[^\s?#]*$/,
    says("is not an http(s) URL", "write it like https://factory.example.net"),
  );

const patchList = z.array(
  z.unknown(),
  says("must be a list of patches", "put each file or object after a `- `"),
);

const valueMessage = says(
  "a taint's value has at most 63 letters, digits, dashes, dots and underscores",
  "shorten it, or use other characters",
);
const taint = strict({
  key: text("a taint's key").refine(isQualifiedName, says("is not a taint's name", nameForm)),
  value: z.string(says("must be text", "quote it")).refine(isLabelValue, valueMessage).optional(),
  effect: z.enum(
    ["NoSchedule", "PreferNoSchedule", "NoExecute"],
    says("is not an effect of a taint", "write NoSchedule, PreferNoSchedule or NoExecute"),
  ),
});

const controlPlanes = strict(
  {
    count,
    firstAddress: firstAddress.optional(),
    ...nodeFields,
  },
  "count: 3",
);

export const poolSchema = strict({
  name: text("a pool's name"),
  count,
  firstAddress: firstAddress.optional(),
  labels: z
    .record(
      z.string(),
      z.string(says("must be text", "put the label's value in quotes")),
      says("must be a mapping", "write `label: value` lines under it"),
    )
    .optional(),
  taints: z.array(taint, says("must be a list", "put each taint after a `- `")).optional(),
  patches: patchList.optional(),
  ...nodeFields,
});

const patches = strict({
  all: patchList.optional(),
  controlPlanes: patchList.optional(),
  workers: patchList.optional(),
  nodes: z
    .record(
      z.string(),
      patchList,
      says("must be a mapping", "write `node name:` and its list of patches under it"),
    )
    .optional(),
});

const seconds = wholeNumber(1, 86400).optional();
const limits = strict({
  talosApi: seconds,
  etcd: seconds,
  kubernetesApi: seconds,
  nodesReady: seconds,
  coreDns: seconds,
});

const schematicMessage = says(
  "must be a file or a schematic",
  "write the path of a schematic file, or `customization:` under it",
);

/** One schema for each key of the `talos-fleet` namespace, so that a fault in one hides none in the others. */
export const settings = {
  platform: z.enum(platformNames, says("is not a platform", `write ${platformNames.join(" or ")}`)),
  clusterName: text("the cluster's name").optional(),
  talosVersion: version("v1.13.10").transform((value) => `v${value.replace(/^v/, "")}`),
  kubernetesVersion: version("1.35.8").transform((value) => value.replace(/^v/, "")),
  talosContract: z
    .string(says("must be a config contract", "write it like v1.13"))
    .regex(/^v?(0|[1-9]\d{0,5})\.(0|[1-9]\d{0,5})$/, says("is not a contract vX.Y", "write it like v1.13"))
    .transform((value) => `v${value.replace(/^v/, "")}`),
  untestedVersions: flag.optional(),
  schematic: z
    .union([z.string().min(1, schematicMessage), z.record(z.string(), z.unknown())], schematicMessage)
    .optional(),
  factoryUrl: url.optional(),
  controlPlanes,
  workers: z.array(z.unknown(), says("must be a list of pools", "put each pool after a `- `")).optional(),
  patches: patches.optional(),
  reboots: z.enum(["refuse", "rolling"], says("is not a way to treat reboots", "write refuse")).optional(),
  limits: limits.optional(),
  ...sections,
  deletionProtection: flag.optional(),
};

export type PoolSettings = z.infer<typeof poolSchema>;
export type Settings = { [Key in keyof typeof settings]: z.infer<(typeof settings)[Key]> };
