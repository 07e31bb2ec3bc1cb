import { z } from "zod";

import { cidrProblem, cidrRepair } from "../base/addresses";
import { isLabelValue, isQualifiedName, nameForm } from "../base/label-syntax";

/** Messages read `rule; repair`: parse.ts splits them into the two halves of a fault. */
const says = (rule: string, repair: string) => ({ error: `${rule}; ${repair}` });

const knownKeysPrefix = "known keys:";

/** A strict object whose complaint about an unknown key carries the keys it knows. */
function strict<Shape extends z.core.$ZodLooseShape>(shape: Shape, example = "key: value") {
  const known = `${knownKeysPrefix}${Object.keys(shape).join(",")}`;
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys" ? known : `must be a mapping; write \`${example}\` under it`,
  });
}

/** The keys carried by a complaint of `strict`. */
export function knownKeysOf(message: string): readonly string[] | undefined {
  return message.startsWith(knownKeysPrefix) ? message.slice(knownKeysPrefix.length).split(",") : undefined;
}

const text = (what: string) =>
  z.string(says(`must be ${what}`, `write ${what} as text`)).min(1, says("is empty", `write ${what}`));
const wholeNumber = (from: number, to: number) => {
  const error = ({ input }: { readonly input?: unknown }) => {
    const isQuoted = typeof input === "string" && /^\d+$/.test(input);
    const repair = isQuoted ? "write it without quotes" : `set one from ${from} to ${to}`;
    return `must be a whole number from ${from} to ${to}; ${repair}`;
  };
  return z.int({ error }).min(from, { error }).max(to, { error });
};
const cidr = (family: "ipv4" | "any") =>
  z.string(says("must be a CIDR", "write it like 10.0.0.0/16")).superRefine((value, context) => {
    const problem = cidrProblem(value, family);
    if (problem !== undefined) {
      context.addIssue({
        code: "custom",
        message: `${problem}; ${cidrRepair(value, family)}`,
      });
    }
  });
const version = (example: string) =>
  z
    .string(says("must be a version", `write it like ${example}`))
    .regex(
      /^v?(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[0-9A-Za-z.-]+)?$/,
      says("is not a version X.Y.Z", `write it like ${example}`),
    );
const location = text("a Hetzner location such as fsn1");
const serverType = text("a Hetzner server type such as cpx22").regex(
  /^[a-z]+\d+$/,
  says("is not the name of a server type", "write a name of Hetzner's list, such as cpx22"),
);
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
    serverType: serverType.optional(),
    location: location.optional(),
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
  serverType: serverType.optional(),
  location: location.optional(),
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

/** `pulumi config set --path` writes whole numbers as numbers and others as text. */
const cpusMessage = says("must be a number of CPUs", "write 2 or 1.5");
const docker = strict({
  host: text("the engine's address")
    .regex(
      /^(unix|npipe|tcp|http|https|ssh|fd):\/\/./,
      says("is not an engine's address", "write it like unix:///var/run/docker.sock"),
    )
    .optional(),
  context: text("a Docker context's name").optional(),
  subnet: cidr("ipv4").optional(),
  talosPort: wholeNumber(1, 65535).optional(),
  kubernetesPort: wholeNumber(1, 65535).optional(),
  cpus: z
    .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, cpusMessage)], cpusMessage)
    .transform(Number)
    .pipe(z.number().min(0.1, says("is too few CPUs", "write 2")))
    .optional(),
  memory: wholeNumber(1024, 1048576).optional(),
  image: text("an image reference")
    .regex(
      /^[^\s@]\S*$/,
      says("is not an image reference", "write it like ghcr.io/siderolabs/talos:v1.13.10"),
    )
    .optional(),
  hostAddress: z
    .ipv4(says("must be an IPv4 address", "write the one at which the ports are reached"))
    .optional(),
});

const network = strict({
  cidr: cidr("ipv4").optional(),
  nodes: cidr("ipv4").optional(),
  pods: cidr("ipv4").optional(),
  services: cidr("ipv4").optional(),
});

const flag = z
  .union([z.boolean(), z.enum(["true", "false"])], says("must be true or false", "write one of the two"))
  .transform((value) => value === true || value === "true");

const imageIdMessage = says("is not the id of a snapshot", "write the number Hetzner shows");
const hetzner = strict({
  location: location.optional(),
  network: network.optional(),
  adminCidrs: z
    .array(cidr("any"), says("must be a list of CIDRs", "put each address range after a `- `"))
    .optional(),
  worldOpen: flag.optional(),
  apiLoadBalancer: z
    .enum(
      ["private", "public", "none"],
      says("is not a kind of load balancer", "write private, public or none"),
    )
    .optional(),
  loadBalancerType: z
    .enum(["lb11", "lb21", "lb31"], says("is not a load balancer type", "write lb11, lb21 or lb31"))
    .optional(),
  imageId: z
    .union([z.int().positive(imageIdMessage), z.string().regex(/^[1-9]\d*$/, imageIdMessage)], imageIdMessage)
    .transform(String)
    .optional(),
  builder: strict({ serverType: serverType.optional(), location: location.optional() }).optional(),
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
  platform: z.enum(["docker", "hetzner"], says("is not a platform", "write docker or hetzner")),
  clusterName: text("the cluster's name").optional(),
  talosVersion: version("v1.13.10").transform((value) => `v${value.replace(/^v/, "")}`),
  kubernetesVersion: version("1.35.8").transform((value) => value.replace(/^v/, "")),
  talosContract: z
    .string(says("must be a config contract", "write it like v1.13"))
    .regex(/^v?(0|[1-9]\d*)\.(0|[1-9]\d*)$/, says("is not a contract vX.Y", "write it like v1.13"))
    .transform((value) => `v${value.replace(/^v/, "")}`),
  schematic: z
    .union([z.string().min(1, schematicMessage), z.record(z.string(), z.unknown())], schematicMessage)
    .optional(),
  factoryUrl: url.optional(),
  controlPlanes,
  workers: z.array(z.unknown(), says("must be a list of pools", "put each pool after a `- `")).optional(),
  patches: patches.optional(),
  reboots: z
    .enum(["refuse", "rolling"], says("is not a way to treat reboots", "write refuse or rolling"))
    .optional(),
  limits: limits.optional(),
  docker: docker.optional(),
  hetzner: hetzner.optional(),
  deletionProtection: flag.optional(),
};

export type PoolSettings = z.infer<typeof poolSchema>;
export type Settings = { [Key in keyof typeof settings]: z.infer<(typeof settings)[Key]> };
