/** A lab's containers, as their engine sees them. */
import type Docker from "dockerode";
import type { EngineInput } from "../../../agreed/operations";
import type { LiveMachines } from "../select";
import { causeOf } from "./causes";
import { engineFromHere } from "./engine";
import { nodeLog } from "./logs";
import { stoppedNodes } from "./stopped";

export const dockerMachines = (engine: EngineInput): LiveMachines => ({
  log: async (node, lines) => nodeLog(await client(engine), node, lines),
  inVain: async (nodes) => {
    try {
      return stoppedNodes(nodes, await (await client(engine)).listContainers({ all: true }));
    } catch {
      return {};
    }
  },
  cause: causeOf,
});

/** Loading the client takes as long as all the rest, and most waits succeed at the first look. */
const client = async (engine: EngineInput): Promise<Docker> => {
  const { dockerClient } = await import("./client");
  return dockerClient(engineFromHere(engine));
};
