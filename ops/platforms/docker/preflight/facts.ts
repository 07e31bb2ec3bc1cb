/** What a preflight of the lab looks at: plain data, gathered by gather.ts, judged by judge.ts. */

export interface EngineInfo {
  readonly operatingSystem: string;
  readonly kernel: string;
  readonly cgroupVersion: string;
  readonly securityOptions: readonly string[];
  readonly memoryBytes: number;
  /** Undefined where the engine no longer tells (Docker 28 and later). */
  readonly bridgeNetfilter: boolean | undefined;
}

export interface EngineNetwork {
  readonly name: string;
  /** CIDR */
  readonly subnets: readonly string[];
}

/** Kernel settings of this machine; only where the engine runs on it. */
export interface HostKernel {
  readonly bridgeNetfilter: boolean;
  readonly ipv6: boolean;
  readonly inotifyWatches: number;
}

/** A port of the plan that somebody else listens on. */
export interface TakenPort {
  readonly port: number;
  /** Who does, where the engine knows; else empty. */
  readonly by: string;
  readonly key: "docker.talosPort" | "docker.kubernetesPort";
  /** A value for the key with which its ports are free now; undefined when none was found. */
  readonly free: number | undefined;
}

export interface LabFacts {
  readonly engine:
    | { readonly reached: true; readonly info: EngineInfo; readonly networks: readonly EngineNetwork[] }
    | { readonly reached: false; readonly fault: string };
  readonly host: string;
  /** Where the choice of the engine came from. */
  readonly from: string;
  /** Undefined where the engine runs in a VM or elsewhere. */
  readonly kernel: HostKernel | undefined;
  readonly takenPorts: readonly TakenPort[];
}

export interface LabWishes {
  readonly clusterName: string;
  readonly talosVersion: string;
  readonly kubernetesVersion: string;
  readonly subnet: string;
  /** MiB of all nodes together. */
  readonly memory: number;
  readonly hostAddress: string;
  /** True when the CNI is Talos's own flannel. */
  readonly flannel: boolean;
  /** True when every node has a patch with `machine.kubelet.extraConfig.failCgroupV1: false`. */
  readonly allowsCgroupV1: boolean;
}
