/** What a preflight of the lab looks at: plain data, gathered by gather.ts, judged by judge.ts. */

export interface EngineInfo {
  readonly operatingSystem: string;
  /** Of its containers: `linux` or `windows`. */
  readonly containers: string;
  readonly kernel: string;
  readonly cgroupVersion: string;
  readonly securityOptions: readonly string[];
  readonly memoryBytes: number;
  /** Undefined where the engine does not tell. */
  readonly cpus: number | undefined;
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
  /** Whether the running kernel's modules are on disk: a kernel upgrade without a boot takes them away. Undefined where none can be looked for. */
  readonly modules: boolean | undefined;
  /** Whether nftables is to be had; undefined where nobody can tell. */
  readonly nftables: boolean | undefined;
  /** The old iptables' table of filters beside nftables: `drop` where it is known to drop what is forwarded. */
  readonly legacyFilter: "none" | "unknown" | "drop";
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
  /** Without a password that may stand in it. */
  readonly host: string;
  /** Where the choice of the engine came from. */
  readonly from: string;
  /** Undefined where the engine runs in a VM or elsewhere. */
  readonly kernel: HostKernel | undefined;
  readonly takenPorts: readonly TakenPort[];
}

export interface LabNeeds {
  readonly clusterName: string;
  readonly talosVersion: string;
  readonly kubernetesVersion: string;
  readonly subnet: string;
  /** MiB of all nodes together. */
  readonly memory: number;
  /** CPUs of one node. */
  readonly cpus: number;
  readonly hostAddress: string;
  /** True when the CNI is Talos's own flannel. */
  readonly flannel: boolean;
}
