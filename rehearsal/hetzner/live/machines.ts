import { rm } from "node:fs/promises";
import { join } from "node:path";
import { knobsFile } from "../../node/knobs";
import { type RunningProcess, startProcess } from "../../processes";
import type { Server } from "../core/model";
import { hostAddress } from "../core/public-ips";
import type { Machines, World } from "../core/world";

export interface MachineOptions {
  readonly dir: string;
  /** The simnode executable. */
  readonly simnode: string;
  readonly routesFile: string;
  /** How long a server that just booted waits for its first private network, in ms. */
  readonly bootDelayMs: number;
}

interface Machine {
  readonly serverName: string;
  readonly logFile: string;
  running: RunningProcess | undefined;
  /** What the process was started with: another one means a restart. */
  args: readonly string[];
  timer: NodeJS.Timeout | undefined;
  /** Starts and stops of one machine happen one after the other. */
  queue: Promise<void>;
}

/** What is known of one server's simulated node. */
export interface NodeProcess {
  readonly pid: number | undefined;
  readonly logFile: string;
}

/** Runs a simnode for every powered-on server with Talos on its disk; any other disk boots nothing. */
export class SimulatedMachines implements Machines {
  private readonly world: World;
  private readonly options: MachineOptions;
  private readonly machines = new Map<number, Machine>();
  private stopped = false;

  constructor(world: World, options: MachineOptions) {
    this.world = world;
    this.options = options;
  }

  async boot(server: Server): Promise<void> {
    if (server.disk.kind !== "talos") return;
    const machine = this.machine(server);
    clearTimeout(machine.timer);
    if (server.privateNets.length > 0 || machine.running !== undefined) {
      await this.enqueue(machine, () => this.ensureRunning(server, machine));
      return;
    }
    // A public server boots before its private network is attached; starting it once instead of twice saves time.
    machine.timer = setTimeout(() => {
      if (server.status !== "running") return;
      // A machine that cannot start shows as off, as it would after a failed boot.
      this.enqueue(machine, () => this.ensureRunning(server, machine)).catch(() => (server.status = "off"));
    }, this.options.bootDelayMs);
  }

  async halt(server: Server, how: "ask" | "kill"): Promise<void> {
    const machine = this.machines.get(server.id);
    if (machine === undefined) return;
    clearTimeout(machine.timer);
    await this.enqueue(machine, () => this.stopProcess(machine, how));
  }

  async erase(server: Server): Promise<void> {
    await this.halt(server, "kill");
    this.machines.delete(server.id);
    await rm(this.folder(server), { recursive: true, force: true });
  }

  /** Kills a node's process and leaves its server as it is: a crash. */
  async crash(name: string): Promise<void> {
    const machine = this.byName(name);
    if (machine?.running === undefined) throw new Error(`no simulated node runs for server ${name}`);
    await this.enqueue(machine, () => this.stopProcess(machine, "kill"));
  }

  find(name: string): NodeProcess | undefined {
    const machine = this.byName(name);
    return machine === undefined ? undefined : { pid: machine.running?.pid, logFile: machine.logFile };
  }

  pids(): number[] {
    return [...this.machines.values()].flatMap(({ running }) => running?.pid ?? []);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    const stopping = [...this.machines.values()].map((machine) => {
      clearTimeout(machine.timer);
      return this.enqueue(machine, () => this.stopProcess(machine, "kill"));
    });
    await Promise.all(stopping);
  }

  private byName(name: string): Machine | undefined {
    return [...this.machines.values()].find((machine) => machine.serverName === name);
  }

  private folder(server: Server): string {
    return join(this.options.dir, "servers", String(server.id));
  }

  private machine(server: Server): Machine {
    const known = this.machines.get(server.id);
    if (known !== undefined) return known;
    const fresh: Machine = {
      serverName: server.name,
      logFile: join(this.folder(server), "node.log"),
      running: undefined,
      args: [],
      timer: undefined,
      queue: Promise.resolve(),
    };
    this.machines.set(server.id, fresh);
    return fresh;
  }

  private enqueue(machine: Machine, work: () => Promise<void>): Promise<void> {
    const done = machine.queue.then(work);
    machine.queue = done.catch(() => undefined);
    return done;
  }

  private nodeArgs(server: Server): string[] {
    const host = hostAddress(this.world, server);
    const own = server.privateNets.map(({ ip }) => ip);
    const addresses = server.ipv4 !== null || own.length === 0 ? [...own, host] : own;
    const folder = this.folder(server);
    return [
      "run",
      ...["--name", server.name],
      ...addresses.flatMap((ip) => ["--address", ip]),
      ...["--talos", `${host}:50000`],
      ...["--kubernetes", `${host}:6443`],
      ...["--trustd", `${host}:50001`],
      ...["--state", join(folder, "state")],
      ...["--data", join(folder, "data")],
      ...["--talos-version", server.disk.version],
      ...["--platform", "hcloud"],
      ...["--schematic", server.disk.schematic],
      ...["--routes", this.options.routesFile],
      ...["--knobs", knobsFile(this.options.dir)],
    ];
  }

  private async ensureRunning(server: Server, machine: Machine): Promise<void> {
    const args = this.nodeArgs(server);
    if (this.stopped) return;
    if (machine.running !== undefined) {
      if (args.join("\n") === machine.args.join("\n")) return;
      await this.stopProcess(machine, "ask");
    }
    const running = startProcess({ command: this.options.simnode, args, logFile: machine.logFile });
    machine.running = running;
    machine.args = args;
    void running.exited.then(({ code }) => {
      if (machine.running !== running) return;
      machine.running = undefined;
      // A node that ends by itself without an error has shut down, and its server is off.
      if (code === 0 && server.status === "running") server.status = "off";
    });
  }

  private async stopProcess(machine: Machine, how: "ask" | "kill"): Promise<void> {
    const { running } = machine;
    machine.running = undefined;
    await running?.stop(how === "kill" ? "SIGKILL" : "SIGTERM");
  }
}
