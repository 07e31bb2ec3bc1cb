import { mkdirSync } from "node:fs";
import { join } from "node:path";

import {
  parseContainerConfig,
  parseContainerPlacement,
  type ContainerConfig,
  type ContainerPlacement,
  type HostConfig,
  type Mount,
} from "./bodies";
import { attach } from "./endpoints";
import { EngineError } from "./http";
import { findImage } from "./images";
import { ensureVolume } from "./volumes";
import { findNetwork, newId, NEVER, now, type EngineContainer, type EngineVolume, type World } from "./world";

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

function checkName(world: World, name: string): void {
  if (!NAME.test(name)) {
    throw new EngineError(
      400,
      `Invalid container name (${name}), only [a-zA-Z0-9][a-zA-Z0-9_.-] are allowed`,
    );
  }
  const taken = [...world.containers.values()].find((container) => container.name === name);
  if (taken === undefined) return;
  const text = `Conflict. The container name "/${name}" is already in use by container "${taken.id}". You have to remove (or rename) that container to be able to reuse that name.`;
  throw new EngineError(409, text);
}

function securityOptions({ Privileged: privileged, SecurityOpt: options }: HostConfig): string[] | null {
  const given = options ?? [];
  // dockerd adds this to every privileged container that has no label option of its own.
  if (privileged === true && !given.some((option) => /^label[=:]/.test(option)))
    return [...given, "label=disable"];
  return given.length === 0 ? null : [...given];
}

function checkResources(host: HostConfig, cpus: number): void {
  const nano = host.NanoCpus ?? 0;
  if (nano > cpus * 1e9) {
    throw new EngineError(
      400,
      `Range of CPUs is from 0.01 to ${cpus}.00, as there are only ${cpus} CPUs available`,
    );
  }
  const [memory, swap] = [host.Memory ?? 0, host.MemorySwap ?? 0];
  if (memory > 0 && memory < 6 * 2 ** 20) throw new EngineError(400, "Minimum memory limit allowed is 6MB");
  if (swap > 0 && swap < memory) {
    throw new EngineError(400, "Minimum memoryswap limit should be larger than memory limit, see usage");
  }
}

/** What the engine stores for a create request: its own defaults filled in. */
function storedHostConfig(host: HostConfig): HostConfig {
  const memory = host.Memory ?? 0;
  const swap = host.MemorySwap ?? 0;
  return {
    Binds: null,
    ContainerIDFile: "",
    AutoRemove: false,
    CapAdd: null,
    CapDrop: null,
    CgroupnsMode: "private",
    Dns: [],
    DnsOptions: [],
    DnsSearch: [],
    ExtraHosts: null,
    GroupAdd: null,
    IpcMode: "private",
    Cgroup: "",
    PidMode: "",
    PublishAllPorts: false,
    ReadonlyRootfs: false,
    UsernsMode: "",
    ShmSize: 64 * 2 ** 20,
    Runtime: "runc",
    CpuShares: 0,
    NanoCpus: 0,
    CpusetCpus: "",
    Devices: [],
    Ulimits: null,
    MemoryReservation: 0,
    ...host,
    Privileged: host.Privileged ?? false,
    Memory: memory,
    MemorySwap: memory > 0 && swap === 0 ? 2 * memory : swap,
    NetworkMode: host.NetworkMode === undefined || host.NetworkMode === "" ? "default" : host.NetworkMode,
    PortBindings: host.PortBindings ?? {},
    RestartPolicy: {
      Name: host.RestartPolicy?.Name ?? "",
      MaximumRetryCount: host.RestartPolicy?.MaximumRetryCount ?? 0,
    },
    SecurityOpt: securityOptions(host),
    LogConfig: {
      Type:
        host.LogConfig?.Type === undefined || host.LogConfig.Type === "" ? "json-file" : host.LogConfig.Type,
      Config: host.LogConfig?.Config ?? {},
    },
  };
}

const storedConfig = (wanted: ContainerConfig, id: string, talos: boolean): ContainerConfig => ({
  Domainname: "",
  User: "",
  Tty: false,
  OpenStdin: false,
  Cmd: null,
  WorkingDir: "",
  ...wanted,
  Hostname: wanted.Hostname === undefined || wanted.Hostname === "" ? id.slice(0, 12) : wanted.Hostname,
  Env: wanted.Env ?? [],
  Entrypoint: wanted.Entrypoint ?? (talos ? ["/sbin/init"] : null),
  Labels: wanted.Labels ?? {},
});

/** `name:/target[:mode]` of `Binds`; host folders are nothing that a simulated node sees. */
const boundVolumes = ({ Binds: binds }: HostConfig): Mount[] =>
  (binds ?? [])
    .map((bind) => bind.split(":"))
    .filter(([source = ""]) => !source.startsWith("/"))
    .map(([Source = "", Target = ""]) => ({ Type: "volume", Source, Target }));

function mountVolumes(world: World, mounts: readonly Mount[]): Map<string, EngineVolume> {
  const volumes = new Map<string, EngineVolume>();
  for (const { Type: type, Source: source, Target: target } of mounts) {
    if (volumes.has(target)) throw new EngineError(400, `Duplicate mount point: ${target}`);
    if (type !== "volume") continue;
    const named =
      source === undefined || source === "" ? undefined : { name: source, labels: null, options: null };
    volumes.set(target, ensureVolume(world, named));
  }
  return volumes;
}

function connectFirst(world: World, container: EngineContainer, placement: ContainerPlacement): void {
  const mode = container.hostConfig.NetworkMode ?? "default";
  const endpoints = placement.NetworkingConfig?.EndpointsConfig ?? {};
  const given = Object.keys(endpoints).filter((name) => name !== "default");
  const names = given.length > 0 ? given : [mode === "default" ? "bridge" : mode];
  for (const name of names) attach(container, findNetwork(world, name), endpoints[name] ?? undefined);
}

/** `POST /containers/create`: checks, stores, and makes volumes; nothing runs yet. */
export function createContainer(
  world: World,
  body: unknown,
  options: { readonly name: string | null; readonly cpus: number },
): EngineContainer {
  const config = parseContainerConfig(body);
  const placement = parseContainerPlacement(body);
  const host = placement.HostConfig ?? {};
  const id = newId();
  const name =
    options.name === null || options.name === "" ? `sim_${id.slice(0, 8)}` : options.name.replace(/^\//, "");
  const image = findImage(world, config.Image);
  checkResources(host, options.cpus);
  checkName(world, name);
  const folder = join(world.dir, "containers", id);
  const container: EngineContainer = {
    id,
    name,
    created: now(),
    image,
    config: storedConfig(config, id, image.talosVersion !== undefined),
    hostConfig: storedHostConfig(host),
    volumes: mountVolumes(world, [...(host.Mounts ?? []), ...boundVolumes(host)]),
    endpoints: new Map(),
    state: {
      status: "created",
      exitCode: 0,
      error: "",
      startedAt: NEVER,
      finishedAt: NEVER,
      restartCount: 0,
      manuallyStopped: false,
    },
    folder,
    listeners: new Map(),
    published: [],
    process: undefined,
    restartTimer: undefined,
    ended: Promise.resolve(),
  };
  connectFirst(world, container, placement);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  world.containers.set(id, container);
  return container;
}
