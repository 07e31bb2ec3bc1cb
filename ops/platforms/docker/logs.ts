/** What the engine has of a node's log: the container has the node's name. */
import type Docker from "dockerode";

const HEADER_BYTES = 8;

export async function nodeLog(docker: Docker, node: string, lines: number): Promise<string> {
  const asked = { stdout: true, stderr: true, tail: lines, follow: false } as const;
  const raw: unknown = await docker.getContainer(node).logs(asked);
  return Buffer.isBuffer(raw) ? withoutFrames(raw) : "";
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
