import type { EngineContainer, Endpoint, PublishedPort } from "./world";
import { isRunning } from "./world";

const macOf = (address: string): string =>
  address === ""
    ? ""
    : `02:42:${address
        .split(".")
        .map((byte) => Number(byte).toString(16).padStart(2, "0"))
        .join(":")}`;

/** A network of a container; addresses are only there while it runs. */
function endpointSettings({ network, config, id, address, known }: Endpoint, containerId: string) {
  const live = address !== "";
  return {
    IPAMConfig: config?.IPAMConfig ?? null,
    Links: null,
    Aliases: network.name === "bridge" ? null : [...(config?.Aliases ?? []), containerId.slice(0, 12)],
    NetworkID: known ? network.id : "",
    EndpointID: live ? id : "",
    Gateway: live ? network.gateway : "",
    IPAddress: address,
    IPPrefixLen: live ? Number(network.subnet.split("/")[1]) : 0,
    IPv6Gateway: "",
    GlobalIPv6Address: "",
    GlobalIPv6PrefixLen: 0,
    MacAddress: macOf(address),
    DriverOpts: null,
  };
}

const networksOf = (container: EngineContainer): Record<string, ReturnType<typeof endpointSettings>> =>
  Object.fromEntries(
    [...container.endpoints.values()].map((endpoint) => [
      endpoint.network.name,
      endpointSettings(endpoint, container.id),
    ]),
  );

function portMap(
  published: readonly PublishedPort[],
): Record<string, { HostIp: string; HostPort: string }[]> {
  const ports: Record<string, { HostIp: string; HostPort: string }[]> = {};
  for (const { containerPort, hostIp, hostPort } of published) {
    ports[containerPort] = [...(ports[containerPort] ?? []), { HostIp: hostIp, HostPort: String(hostPort) }];
  }
  return ports;
}

const networkSettings = (container: EngineContainer) => ({
  Bridge: "",
  SandboxID: isRunning(container) ? container.id : "",
  HairpinMode: false,
  Ports: portMap(container.published),
  SandboxKey: "",
  Gateway: "",
  IPAddress: "",
  IPPrefixLen: 0,
  MacAddress: "",
  Networks: networksOf(container),
});

const stateOf = ({ state, process: running }: EngineContainer) => ({
  Status: state.status,
  Running: running !== undefined || state.status === "restarting",
  Paused: false,
  Restarting: state.status === "restarting",
  OOMKilled: false,
  Dead: false,
  Pid: running?.pid ?? 0,
  ExitCode: state.exitCode,
  Error: state.error,
  StartedAt: state.startedAt,
  FinishedAt: state.finishedAt,
});

const mountPoints = (container: EngineContainer) =>
  [...container.volumes].map(([target, volume]) => ({
    Type: "volume",
    Name: volume.name,
    Source: volume.mountpoint,
    Destination: target,
    Driver: "local",
    Mode: "z",
    RW: true,
    Propagation: "",
  }));

/** `GET /containers/{id}/json`. */
export function inspectContainer(container: EngineContainer): Record<string, unknown> {
  const entrypoint = container.config.Entrypoint ?? [];
  return {
    Id: container.id,
    Created: container.created,
    Path: entrypoint[0] ?? "",
    Args: [...entrypoint.slice(1), ...(container.config.Cmd ?? [])],
    State: stateOf(container),
    Image: container.image.id,
    Name: `/${container.name}`,
    RestartCount: container.state.restartCount,
    Driver: "overlay2",
    Platform: "linux",
    MountLabel: "",
    ProcessLabel: "",
    AppArmorProfile: "unconfined",
    ExecIDs: null,
    HostConfig: container.hostConfig,
    Mounts: mountPoints(container),
    Config: container.config,
    NetworkSettings: networkSettings(container),
  };
}

/** A line of `GET /containers/json`. */
export const listContainer = (container: EngineContainer) => ({
  Id: container.id,
  Names: [`/${container.name}`],
  Image: container.config.Image,
  ImageID: container.image.id,
  Command: (container.config.Entrypoint ?? []).join(" "),
  Created: Math.floor(Date.parse(container.created) / 1000),
  Ports: container.published.map(({ containerPort, hostIp, hostPort }) => ({
    IP: hostIp,
    PrivatePort: Number(containerPort.split("/")[0]),
    PublicPort: hostPort,
    Type: containerPort.split("/")[1] ?? "tcp",
  })),
  Labels: container.config.Labels ?? {},
  State: container.state.status,
  Status: statusText(container),
  HostConfig: { NetworkMode: container.hostConfig.NetworkMode ?? "default" },
  NetworkSettings: { Networks: networksOf(container) },
  Mounts: mountPoints(container),
});

function statusText({ state }: EngineContainer): string {
  if (state.status === "running") return "Up Less than a second";
  if (state.status === "created") return "Created";
  return state.status === "restarting" ? `Restarting (${state.exitCode})` : `Exited (${state.exitCode})`;
}
