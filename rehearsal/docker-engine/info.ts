import { cpus, totalmem } from "node:os";

import { MAX_API } from "./http";
import type { World } from "./world";
import { isRunning } from "./world";

/** Facts of the engine's host that `preflight` looks at; merged over the defaults into `GET /info`. */
export type InfoOverrides = Readonly<Record<string, unknown>>;

const KERNEL = "6.18.0-simulated";

/** `GET /info`: a rootful engine on Linux with cgroup v2. */
export function engineInfo(world: World, overrides: InfoOverrides): Record<string, unknown> {
  const containers = [...world.containers.values()];
  const running = containers.filter(isRunning).length;
  return {
    ID: "SIMU:LATE:DENG:INE0",
    Name: "simulated-engine",
    ServerVersion: "20.10.24",
    Driver: "overlay2",
    OSType: "linux",
    OperatingSystem: "Simulated Linux",
    Architecture: "x86_64",
    KernelVersion: KERNEL,
    NCPU: Math.max(8, cpus().length),
    MemTotal: Math.max(16 * 2 ** 30, totalmem()),
    CgroupDriver: "systemd",
    CgroupVersion: "2",
    SecurityOptions: ["name=seccomp,profile=default", "name=cgroupns"],
    BridgeNfIptables: true,
    BridgeNfIp6tables: true,
    IPv4Forwarding: true,
    DockerRootDir: world.dir,
    DefaultRuntime: "runc",
    Images: world.images.size,
    Containers: containers.length,
    ContainersRunning: running,
    ContainersPaused: 0,
    ContainersStopped: containers.length - running,
    Warnings: null,
    ...overrides,
  };
}

/** `GET /version`; the kernel follows the overrides of `/info`. */
export function engineVersion(overrides: InfoOverrides): Record<string, unknown> {
  return {
    Platform: { Name: "talos-fleet rehearsal" },
    Version: "20.10.24",
    ApiVersion: MAX_API,
    MinAPIVersion: "1.12",
    GitCommit: "simulated",
    GoVersion: "none",
    Os: "linux",
    Arch: "amd64",
    KernelVersion: overrides["KernelVersion"] ?? KERNEL,
    Components: [],
  };
}
