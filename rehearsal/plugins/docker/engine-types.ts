/** What the stand-in reads of the engine's answers (API 1.41). */
export interface EngineImage {
  readonly Id: string;
  readonly RepoDigests?: readonly string[] | null;
}

export interface EngineNetwork {
  readonly Name: string;
  readonly Id: string;
  readonly Scope: string;
  readonly Driver: string;
  readonly EnableIPv6: boolean;
  readonly Internal: boolean;
  readonly Attachable: boolean;
  readonly Ingress: boolean;
  readonly IPAM: {
    readonly Driver: string;
    readonly Options: Readonly<Record<string, string>> | null;
    readonly Config:
      | readonly {
          readonly Subnet?: string;
          readonly Gateway?: string;
          readonly IPRange?: string;
          readonly AuxiliaryAddresses?: Readonly<Record<string, string>>;
        }[]
      | null;
  };
  readonly Options: Readonly<Record<string, string>> | null;
  readonly Labels: Readonly<Record<string, string>> | null;
}

export interface EngineVolume {
  readonly Name: string;
  readonly Driver: string;
  readonly Mountpoint: string;
  readonly Labels: Readonly<Record<string, string>> | null;
  readonly Options: Readonly<Record<string, string>> | null;
}

type Texts = readonly string[] | null;
type TextMap = Readonly<Record<string, string>> | null;

export interface EngineMount {
  readonly Type: string;
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly?: boolean;
}

export interface EngineAttachment {
  readonly IPAMConfig?: { readonly IPv4Address?: string; readonly IPv6Address?: string } | null;
  readonly Aliases?: Texts;
  readonly Gateway: string;
  readonly IPAddress: string;
  readonly IPPrefixLen: number;
  readonly IPv6Gateway: string;
  readonly GlobalIPv6Address: string;
  readonly GlobalIPv6PrefixLen: number;
  readonly MacAddress: string;
}

export interface EngineContainer {
  readonly Id: string;
  readonly Name: string;
  readonly Image: string;
  readonly Platform?: string;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly FinishedAt: string;
  };
  readonly Config: {
    readonly Image: string;
    readonly Hostname: string;
    readonly Domainname: string;
    readonly User: string;
    readonly Tty: boolean;
    readonly OpenStdin: boolean;
    readonly Cmd: Texts;
    readonly Entrypoint: Texts;
    readonly WorkingDir: string;
    readonly StopSignal?: string;
    readonly StopTimeout?: number | null;
    readonly Healthcheck?: unknown;
  };
  readonly HostConfig: {
    readonly AutoRemove: boolean;
    readonly CapAdd?: Texts;
    readonly CapDrop?: Texts;
    readonly CpuShares?: number;
    readonly CpusetCpus?: string;
    readonly Dns?: Texts;
    readonly DnsOptions?: Texts;
    readonly DnsSearch?: Texts;
    readonly ExtraHosts?: Texts;
    readonly GroupAdd?: Texts;
    readonly Init?: boolean | null;
    readonly IpcMode: string;
    readonly LogConfig: { readonly Type: string; readonly Config: TextMap };
    readonly Memory: number;
    readonly MemoryReservation?: number;
    readonly MemorySwap: number;
    readonly Mounts?: readonly EngineMount[] | null;
    readonly NanoCpus?: number;
    readonly NetworkMode: string;
    readonly Privileged: boolean;
    readonly PublishAllPorts: boolean;
    readonly ReadonlyRootfs: boolean;
    readonly RestartPolicy: { readonly Name: string; readonly MaximumRetryCount: number };
    readonly Runtime?: string;
    readonly SecurityOpt?: Texts;
    readonly ShmSize: number;
    readonly StorageOpt?: TextMap;
    readonly Sysctls?: TextMap;
    readonly Tmpfs?: TextMap;
    readonly Ulimits?:
      readonly { readonly Name: string; readonly Soft: number; readonly Hard: number }[] | null;
    readonly UsernsMode: string;
  };
  readonly NetworkSettings: {
    readonly Bridge: string;
    readonly Ports: Readonly<
      Record<string, readonly { readonly HostIp: string; readonly HostPort: string }[] | null>
    > | null;
    readonly Networks: Readonly<Record<string, EngineAttachment>> | null;
  };
}
