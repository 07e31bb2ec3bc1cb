/** All that ops asks of a platform, and the only place in ops that chooses one: a third one is led here by the compiler. */
import type { MachinesInput, NodeInput } from "../../agreed/operations";
import type { AccountKeys } from "../../config/stack-file";
import type { ClusterPlan } from "../../config/types";
import type { PlatformFindings } from "../preflight/report";
import type { Search } from "../recover/outcome";
import type { State, StateResource } from "../recover/state";
import type { Check } from "../verify/check";
import type { StackAccess } from "../verify/stack-access";
import { dockerMachines } from "./docker/machines";
import { hetznerMachines } from "./hetzner/machines";

/** What is behind a wait that fails, and its cure. */
export interface Cause {
  readonly cause: string;
  readonly cure: string;
  /** True where nothing that comes by itself will mend it: waiting on is in vain. */
  readonly final: boolean;
}

/** What only a platform can tell of live machines; given to operations that the program calls. */
export interface LiveMachines {
  /** The last lines of a node's log; undefined where there is none. */
  log(node: string, lines: number): Promise<string | undefined>;
  /** By node: why it cannot come by itself. A platform that cannot be asked says nothing. */
  inVain(nodes: readonly string[]): Promise<Readonly<Record<string, string>>>;
  /** What a log line, or what was last seen of the node, gives away. */
  cause(log: string, lastSeen: string): Cause | undefined;
}

export type LiveNode = Pick<NodeInput, "name" | "address" | "endpoint">;

/** The Talos API, for platforms that show nothing of a machine themselves. */
export interface TalosAccess {
  readonly talosconfig: string;
  readonly nodes: readonly LiveNode[];
}

export function liveMachines(machines: MachinesInput, access: TalosAccess): LiveMachines {
  switch (machines.platform) {
    case "docker":
      return dockerMachines(machines.engine);
    case "hetzner":
      return hetznerMachines(access);
  }
}

/** Only what runs, or also what it stands on. */
export type Removal = "machines" | "all";

/** What a cluster has outside of its state, found by name and labels. */
export interface OnPlatform {
  /** The Pulumi package whose resources these are: `hcloud`. */
  readonly pulumiPackage: string;
  /** Where the create of this resource may have left something; undefined for kinds that are not searched for. */
  search(state: State, resource: StateResource): Search | undefined;
  /** All that carries the cluster's labels, by the ids that a state would hold. */
  labelled(state: State): Promise<readonly { readonly id: string; readonly what: string }[]>;
  /** Removes what carries the labels, killed and not shut down; undefined where only `pulumi destroy` may. */
  readonly removeAll?: (kinds: Removal, print: (line: string) => void) => Promise<void>;
}

/** Loaded when asked: the clients take longer to load than most operations to run. */
export async function onPlatform(plan: ClusterPlan): Promise<OnPlatform> {
  switch (plan.platform) {
    case "docker":
      return (await import("./docker/leftovers")).dockerLeftovers(plan);
    case "hetzner":
      return (await import("./hetzner/leftovers")).hetznerLeftovers(plan);
  }
}

/** What the machine or the account offers for a plan, before anything is made. */
export async function platformFindings(plan: ClusterPlan, account: AccountKeys): Promise<PlatformFindings> {
  switch (plan.platform) {
    case "docker":
      return (await import("./docker/preflight/look")).lookAtLab(plan);
    case "hetzner":
      return (await import("./hetzner/preflight")).lookAtAccount(plan, account);
  }
}

/** What verify sees besides the two APIs: servers show nothing more. */
export async function platformChecks(plan: ClusterPlan, access: StackAccess): Promise<readonly Check[]> {
  switch (plan.platform) {
    case "docker":
      return (await import("./docker/verify")).verifyLab(plan, access);
    case "hetzner":
      return [];
  }
}

/** Servers run services of their own (udevd, syslogd, extensions), containers do not. */
export function runsOtherServices({ platform }: Pick<ClusterPlan, "platform">): boolean {
  switch (platform) {
    case "docker":
      return false;
    case "hetzner":
      return true;
  }
}
