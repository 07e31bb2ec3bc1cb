import { engineFromHere } from "./engine";
import type { ReadLog } from "../../waits/explain";

const HEADER_BYTES = 8;

/** Reads the logs of a lab's nodes (the container has the node's name); a fleet's nodes have none to read. */
export function nodeLogs(engine: Parameters<typeof engineFromHere>[0] | undefined): ReadLog {
  if (engine === undefined) return () => Promise.resolve(undefined);
  return async (node, lines) => {
    // Loading the client takes as long as all the rest, and most waits succeed.
    const { dockerClient } = await import("./client");
    const docker = dockerClient(engineFromHere(engine));
    const raw = await docker
      .getContainer(node)
      .logs({ stdout: true, stderr: true, tail: lines, follow: false });
    return withoutFrames(Buffer.from(raw as unknown as Uint8Array));
  };
}

/** The engine puts eight bytes before each piece: the stream, and the piece's length in the last four. */
export function withoutFrames(raw: Buffer): string {
  const pieces: string[] = [];
  let offset = 0;
  while (offset + HEADER_BYTES <= raw.length) {
    const length = raw.readUInt32BE(offset + 4);
    pieces.push(raw.toString("utf8", offset + HEADER_BYTES, offset + HEADER_BYTES + length));
    offset += HEADER_BYTES + length;
  }
  return pieces.join("");
}
