/** Every call that the program makes, once, for the component that calls and for the command that is called. */
import { z } from "zod";
import { labFolderPattern } from "../lab-folder";
import type { Call } from "./call";
import { controlPlane, limits, machines, node, role } from "./parts";

export type { Call, InputOf } from "./call";
export type { EngineInput, MachinesInput, NodeInput } from "./parts";

const call = <Schema extends z.ZodType>(words: string, input: Schema): Call<Schema> => ({ words, input });

const registration = z.strictObject({
  factoryUrl: z.string(),
  /** SHA-256 of `text`, 64 hex digits. */
  id: z.string(),
  /** The canonical schematic. */
  text: z.string(),
  /** True where the stack file keeps it secret, and absent elsewhere: then nothing of it is shown. */
  secret: z.boolean().optional(),
});

const founding = z.strictObject({
  talosconfig: z.string(),
  /** The first of them founds etcd; all of them are asked before it does. */
  controlPlanes: z.array(controlPlane).min(1),
  limits,
  ...machines,
});

const kubernetesApi = z.strictObject({
  kubeconfig: z.string(),
  /** Asked meanwhile what keeps their API server from coming. */
  controlPlanes: z.array(controlPlane).min(1),
  talosconfig: z.string(),
  limits,
  ...machines,
});

const nodeBack = z.strictObject({
  /** The machine behind the name: another one is the reason to wait. */
  container: z.string(),
  node,
  controlPlanes: z.array(node).min(1),
  talosVersion: z.string(),
  /** False without a CNI: such a node never becomes ready. */
  ready: z.boolean(),
  talosconfig: z.string(),
  limits,
  ...machines,
});

const ready = z.strictObject({
  kubeconfig: z.string(),
  talosconfig: z.string(),
  nodes: z.array(node.extend({ machine: z.string() })).min(1),
  kubernetesVersion: z.string(),
  expect: z.strictObject({ nodesReady: z.boolean(), coreDns: z.boolean() }),
  limits,
  /** A changed config is a reason to look again. */
  configs: z.string(),
  ...machines,
});

/** Before a node's machine goes: out of etcd, then out of Kubernetes. */
const nodeRemoval = z.strictObject({
  kubeconfig: z.string(),
  talosconfig: z.string(),
  node,
  /** The machine behind the name. Nobody reads it: through it the departure comes before the machine when both go. */
  machine: z.string(),
  /** The node itself may be among them or not: what counts is who is left. */
  controlPlanes: z.array(controlPlane).min(1),
});

const accessFiles = z.strictObject({
  /** Relative to the project: only ever `.lab` or a folder in it. */
  directory: z.string().regex(labFolderPattern),
  kubeconfig: z.string(),
  talosconfig: z.string(),
});

const patch = z.strictObject({
  source: z.string(),
  documents: z.array(z.record(z.string(), z.unknown())),
});

const configs = z.strictObject({
  clusterName: z.string(),
  endpoint: z.string(),
  contract: z.string(),
  kubernetesVersion: z.string(),
  /** Talos' word for the way machines run. */
  mode: z.enum(["container", "cloud"]),
  groups: z.array(
    z.strictObject({
      role,
      nodes: z.array(z.string()),
      own: z.array(patch),
      operators: z.array(patch),
    }),
  ),
  /** Whether values of the patches are secret in the stack file: then none of them is shown. */
  secret: z.boolean(),
});

export type ConfigsInput = z.infer<typeof configs>;

export const operations = {
  validate: call("validate", configs),
  registerSchematic: call("register-schematic", registration),
  bootstrap: call("bootstrap", founding),
  waitKubernetesApi: call("wait kubernetes-api", kubernetesApi),
  waitNode: call("wait node", nodeBack),
  waitReady: call("wait ready", ready),
  removeNode: call("remove-node", nodeRemoval),
  writeAccess: call("write-access", accessFiles),
  removeAccess: call("write-access --remove", accessFiles),
} as const;
