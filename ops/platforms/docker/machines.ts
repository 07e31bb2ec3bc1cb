/** A lab's containers, as their engine sees them. */
import type Docker from "dockerode";
import type { EngineInput } from "../../../agreed/operations";
import type { LiveMachines } from "../select";
import { causeOf } from "./causes";
import { engineFromHere } from "./engine";
import { nodeLog } from "./logs";
import { stoppedNodes } from "./stopped";

/** A wait looks again and again: an engine that takes longer says nothing this time. */
const TIMEOUT_MS = 5_000;

export const dockerMachines = (engine: EngineInput, timeout = TIMEOUT_MS): LiveMachines => ({
  log: async (node, lines) => nodeLog(await client(engine, timeout), node, lines),
  inVain: async (nodes) => {
    try {
      return stoppedNodes(nodes, await (await client(engine, timeout)).listContainers({ all: true }));
    } catch {
      return {};
    }
  },
  cause: causeOf,
});

/** Loading the client takes as long as all the rest, and most waits succeed at the first look. */
const client = async (engine: EngineInput, timeout: number): Promise<Docker> => {
  const { dockerClient } = await import("./client");
  return dockerClient(engineFromHere(engine), timeout);
};
