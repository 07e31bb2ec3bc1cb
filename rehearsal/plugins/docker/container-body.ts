import type { Props } from "../framework/types";
import { flag, number, record, records, text } from "../framework/values";
import { textMap, texts } from "./texts";

const MIB = 2 ** 20;

/** Drops what is undefined or an empty list or map: the plugin leaves such arguments out. */
const given = (body: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([, value]) =>
        value !== undefined &&
        !(typeof value === "object" && value !== null && Object.keys(value).length === 0),
    ),
  );

export const labelMap = (props: Props): Record<string, string> =>
  Object.fromEntries(
    records(props, "labels").map((one) => [text(one, "label") ?? "", text(one, "value") ?? ""]),
  );

function volumeOptions(options: Props): Record<string, unknown> {
  const driver = given({ Name: text(options, "driverName"), Options: textMap(options, "driverOptions") });
  return given({
    NoCopy: flag(options, "noCopy"),
    Labels: labelMap(options),
    DriverConfig: driver,
    Subpath: text(options, "subpath"),
  });
}

const mountBody = (mount: Props) =>
  given({
    Type: text(mount, "type"),
    Target: text(mount, "target"),
    Source: text(mount, "source") ?? "",
    ReadOnly: flag(mount, "readOnly") ?? false,
    BindOptions: given({ Propagation: text(record(mount, "bindOptions"), "propagation") }),
    VolumeOptions: volumeOptions(record(mount, "volumeOptions")),
    TmpfsOptions: given({
      SizeBytes: number(record(mount, "tmpfsOptions"), "sizeBytes"),
      Mode: number(record(mount, "tmpfsOptions"), "mode"),
    }),
  });

const portKey = (port: Props): string =>
  `${number(port, "internal") ?? 0}/${text(port, "protocol") ?? "tcp"}`;

function portBindings(ports: readonly Props[]): Record<string, { HostIp: string; HostPort: string }[]> {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const port of ports) {
    const external = number(port, "external");
    const binding = {
      HostIp: text(port, "ip") ?? "",
      HostPort: external === undefined ? "" : String(external),
    };
    bindings[portKey(port)] = [...(bindings[portKey(port)] ?? []), binding];
  }
  return bindings;
}

const bytes = (megabytes: number | undefined): number | undefined =>
  megabytes === undefined || megabytes <= 0 ? megabytes : megabytes * MIB;

const capabilities = (planned: Props) => {
  const { adds, drops } = { adds: "adds", drops: "drops" };
  const wanted = record(planned, "capabilities");
  return { CapAdd: texts(wanted, adds), CapDrop: texts(wanted, drops) };
};

const hostBody = (planned: Props) =>
  given({
    Privileged: flag(planned, "privileged") ?? false,
    PublishAllPorts: flag(planned, "publishAllPorts") ?? false,
    RestartPolicy: {
      Name: text(planned, "restart") ?? "no",
      MaximumRetryCount: number(planned, "maxRetryCount") ?? 0,
    },
    Mounts: records(planned, "mounts").map(mountBody),
    AutoRemove: flag(planned, "rm") ?? false,
    ReadonlyRootfs: flag(planned, "readOnly") ?? false,
    LogConfig: given({ Type: text(planned, "logDriver"), Config: textMap(planned, "logOpts") }),
    Tmpfs: textMap(planned, "tmpfs"),
    PortBindings: portBindings(records(planned, "ports")),
    ExtraHosts: records(planned, "hosts").map(
      (host) => `${text(host, "host") ?? ""}:${text(host, "ip") ?? ""}`,
    ),
    Ulimits: records(planned, "ulimits").map((limit) => ({
      Name: text(limit, "name"),
      Soft: number(limit, "soft"),
      Hard: number(limit, "hard"),
    })),
    ...capabilities(planned),
    Dns: texts(planned, "dns"),
    DnsOptions: texts(planned, "dnsOpts"),
    DnsSearch: texts(planned, "dnsSearches"),
    SecurityOpt: texts(planned, "securityOpts"),
    NanoCpus:
      text(planned, "cpus") === undefined ? undefined : Math.round(Number(text(planned, "cpus")) * 1e9),
    Memory: bytes(number(planned, "memory")),
    MemoryReservation: bytes(number(planned, "memoryReservation")),
    MemorySwap: bytes(number(planned, "memorySwap")),
    ShmSize: bytes(number(planned, "shmSize")),
    CpuShares: number(planned, "cpuShares"),
    CpuPeriod: number(planned, "cpuPeriod"),
    CpuQuota: number(planned, "cpuQuota"),
    CpusetCpus: text(planned, "cpuSet"),
    CgroupnsMode: text(planned, "cgroupnsMode"),
    CgroupParent: text(planned, "cgroupParent"),
    NetworkMode: text(planned, "networkMode"),
    UsernsMode: text(planned, "usernsMode"),
    PidMode: text(planned, "pidMode"),
    IpcMode: text(planned, "ipcMode"),
    Runtime: text(planned, "runtime"),
    Sysctls: textMap(planned, "sysctls"),
    StorageOpt: textMap(planned, "storageOpts"),
    GroupAdd: texts(planned, "groupAdds"),
    Init: flag(planned, "init") ?? false,
  });

/** The body of `POST /containers/create`. */
export const containerBody = (planned: Props): Record<string, unknown> =>
  given({
    Image: text(planned, "image"),
    Hostname: text(planned, "hostname"),
    Domainname: text(planned, "domainname"),
    User: text(planned, "user"),
    Env: texts(planned, "envs"),
    Cmd: texts(planned, "command"),
    Entrypoint: texts(planned, "entrypoints"),
    WorkingDir: text(planned, "workingDir"),
    Tty: flag(planned, "tty") ?? false,
    OpenStdin: flag(planned, "stdinOpen") ?? false,
    StopSignal: text(planned, "stopSignal"),
    StopTimeout: number(planned, "stopTimeout"),
    Labels: labelMap(planned),
    ExposedPorts: Object.fromEntries(records(planned, "ports").map((port) => [portKey(port), {}])),
    HostConfig: hostBody(planned),
  });

/** The body of `POST /networks/{name}/connect`. */
export const connectBody = (container: string, network: Props) => ({
  Container: container,
  EndpointConfig: {
    Aliases: texts(network, "aliases"),
    IPAMConfig: {
      IPv4Address: text(network, "ipv4Address") ?? "",
      IPv6Address: text(network, "ipv6Address") ?? "",
      LinkLocalIPs: texts(network, "linkLocalIps"),
    },
  },
});

/** The body of `POST /containers/{id}/update`: what the plugin changes in place. */
export const updateBody = (planned: Props) =>
  given({
    RestartPolicy: {
      Name: text(planned, "restart") ?? "no",
      MaximumRetryCount: number(planned, "maxRetryCount") ?? 0,
    },
    CpuShares: number(planned, "cpuShares"),
    CpusetCpus: text(planned, "cpuSet"),
    Memory: bytes(number(planned, "memory")),
    MemoryReservation: bytes(number(planned, "memoryReservation")),
    MemorySwap: bytes(number(planned, "memorySwap")),
  });
