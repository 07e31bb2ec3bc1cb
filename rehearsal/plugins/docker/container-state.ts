import { sortSet } from "../framework/bridged-schema";
import type { Props, Value } from "../framework/types";
import { isList, isProps } from "../framework/values";
import type { EngineAttachment, EngineContainer, EngineMount } from "./engine-types";

const MIB = 2 ** 20;

/** The plugin's way to write CPUs: 2 becomes `2.0`, but 10 becomes `10.` (its own flaw). */
function cpuText(nano: number): string {
  if (nano === 0) return "0";
  const text = (nano / 1e9).toFixed(9);
  return text.replaceAll(/[^0]/g, "").length === 9 ? (nano / 1e9).toFixed(1) : text.replace(/0+$/, "");
}

/** Sorted by the container's port; a stopped container has none. */
function ports({ NetworkSettings: { Ports: map } }: EngineContainer): Props[] {
  return Object.entries(map ?? {})
    .flatMap(([key, bindings]) => {
      const [internal = "", protocol = "tcp"] = key.split("/");
      return (bindings ?? []).map(({ HostIp: ip, HostPort: external }) => ({
        internal: Number(internal),
        external: Number(external),
        ip,
        protocol,
      }));
    })
    .sort((left, right) => left.internal - right.internal);
}

const networkData = ([name, network]: [string, EngineAttachment]): Props => ({
  networkName: name,
  ipAddress: network.IPAddress,
  ipPrefixLength: network.IPPrefixLen,
  gateway: network.Gateway,
  globalIpv6Address: network.GlobalIPv6Address,
  globalIpv6PrefixLength: network.GlobalIPv6PrefixLen,
  ipv6Gateway: network.IPv6Gateway,
  macAddress: network.MacAddress,
});

const mount = ({ Type: type, Source: source, Target: target, ReadOnly: readOnly }: EngineMount): Props => ({
  bindOptions: null,
  readOnly: readOnly ?? false,
  source: source ?? "",
  target,
  tmpfsOptions: null,
  type,
  volumeOptions: null,
});

const sorted = (items: readonly string[] | null | undefined): Value[] => sortSet(items ?? []);

const mounts = ({ HostConfig: { Mounts: all } }: EngineContainer): Value[] => sortSet((all ?? []).map(mount));

const capabilities = ({ HostConfig: { CapAdd: adds, CapDrop: drops } }: EngineContainer): Value =>
  (adds ?? []).length + (drops ?? []).length === 0 ? null : { adds: sorted(adds), drops: sorted(drops) };

const hosts = ({ HostConfig: { ExtraHosts: all } }: EngineContainer): Props[] =>
  (all ?? []).map((one) => ({ host: one.split(":")[0] ?? "", ip: one.split(":").slice(1).join(":") }));

const configState = ({ Config: config, Name: name, Platform: platform }: EngineContainer): Props => ({
  name: name.replace(/^\//, ""),
  image: config.Image,
  hostname: config.Hostname,
  domainname: config.Domainname,
  command: config.Cmd ?? [],
  entrypoints: config.Entrypoint ?? [],
  user: config.User,
  workingDir: config.WorkingDir,
  tty: config.Tty,
  stdinOpen: config.OpenStdin,
  stopSignal: config.StopSignal ?? "",
  platform: platform ?? "linux",
});

const hostState = (container: EngineContainer): Props => {
  const { HostConfig: host } = container;
  return {
    rm: host.AutoRemove,
    readOnly: host.ReadonlyRootfs,
    privileged: host.Privileged,
    publishAllPorts: host.PublishAllPorts,
    restart: host.RestartPolicy.Name === "" ? "no" : host.RestartPolicy.Name,
    maxRetryCount: host.RestartPolicy.MaximumRetryCount,
    init: host.Init ?? false,
    securityOpts: sorted(host.SecurityOpt),
    capabilities: capabilities(container),
    dns: sorted(host.Dns),
    dnsOpts: sorted(host.DnsOptions),
    dnsSearches: sorted(host.DnsSearch),
    groupAdds: sorted(host.GroupAdd),
    hosts: hosts(container),
    ulimits: (host.Ulimits ?? []).map(({ Name, Soft, Hard }) => ({ hard: Hard, name: Name, soft: Soft })),
    mounts: mounts(container),
    tmpfs: host.Tmpfs ?? {},
    sysctls: host.Sysctls ?? {},
    storageOpts: host.StorageOpt ?? {},
    memory: Math.floor(host.Memory / MIB),
    memoryReservation: Math.floor((host.MemoryReservation ?? 0) / MIB),
    memorySwap: host.MemorySwap > 0 ? Math.floor(host.MemorySwap / MIB) : host.MemorySwap,
    shmSize: Math.floor(host.ShmSize / MIB),
    cpuShares: host.CpuShares ?? 0,
    cpuSet: host.CpusetCpus ?? "",
    logDriver: host.LogConfig.Type,
    logOpts: host.LogConfig.Config ?? {},
    networkMode: host.NetworkMode,
    ipcMode: host.IpcMode,
    usernsMode: host.UsernsMode,
    runtime: host.Runtime ?? "",
  };
};

const networkState = (container: EngineContainer): Props => ({
  bridge: container.NetworkSettings.Bridge,
  ports: ports(container),
  networkDatas: Object.entries(container.NetworkSettings.Networks ?? {}).map(networkData),
});

const lists = [
  "deviceReadBps",
  "deviceReadIops",
  "deviceWriteBps",
  "deviceWriteIops",
  "deviceRequests",
  "devices",
  "uploads",
  "volumes",
];

/** Every attribute of a network argument, with what the engine still knows of it. */
const filledAttachment = (item: Value): Value =>
  isProps(item) ? { ...item, gwPriority: item["gwPriority"] ?? 0 } : item;

/**
 * The state after a Read. Not read back, so kept: envs, labels, cgroupns mode, networks asked for, and how to run it.
 * A stopped container has no ports and reads as one that need not run.
 */
export function readState(container: EngineContainer, prior: Props): Props {
  const running = container.State.Running;
  const attachments = prior["networksAdvanced"];
  return {
    ...Object.fromEntries(lists.map((key) => [key, []])),
    ...prior,
    ...configState(container),
    ...hostState(container),
    ...networkState(container),
    cpus:
      (container.HostConfig.NanoCpus ?? 0) === 0
        ? (prior["cpus"] ?? null)
        : cpuText(container.HostConfig.NanoCpus ?? 0),
    stopTimeout: container.Config.StopTimeout ?? prior["stopTimeout"] ?? 0,
    exitCode: running ? (prior["exitCode"] ?? null) : container.State.ExitCode,
    mustRun: running ? (prior["mustRun"] ?? true) : false,
    networksAdvanced: isList(attachments) ? attachments.map(filledAttachment) : [],
    healthcheck: prior["healthcheck"] ?? null,
    containerLogs: prior["containerLogs"] ?? null,
  };
}

const isEmpty = (value: Value): boolean =>
  (isList(value) && value.length === 0) || (isProps(value) && Object.keys(value).length === 0);

/** The state after a Create: what the engine filled in, over the plan; arguments that were not given stay null. */
export function createdState(container: EngineContainer, planned: Props): Props {
  const read = readState(container, planned);
  const kept = ["mounts", "networksAdvanced", "mustRun"];
  return Object.fromEntries(
    Object.entries(read).map(([key, value]) => {
      const asked = planned[key] ?? null;
      const keeps = kept.includes(key) || (key in planned && asked === null && isEmpty(value));
      return [key, keeps ? asked : value];
    }),
  );
}
