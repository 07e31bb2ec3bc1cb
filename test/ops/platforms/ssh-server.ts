/** An SSH server on loopback that lets everybody in and leads every command to one port. */
import { generateKeyPairSync } from "node:crypto";
import { createRequire } from "node:module";
import { connect, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

interface Listener {
  on(event: string, heard: (...given: never[]) => void): Listener;
}
interface SshLibrary {
  readonly Server: new (
    options: { readonly hostKeys: readonly string[] },
    connected: (client: Listener & { end(): void }) => void,
  ) => { listen(port: number, host: string, ready: () => void): void; close(): void; address(): AddressInfo };
}

/** The one that the client's library brings along. */
const library = (): SshLibrary => createRequire(require.resolve("dockerode"))("ssh2") as SshLibrary;

export interface SshServer {
  readonly port: number;
  /** `USER: COMMAND`, one of each command that was run. */
  readonly seen: readonly string[];
  readonly close: () => void;
}

export async function startSsh(leadsTo: number): Promise<SshServer> {
  const seen: string[] = [];
  const ends: (() => void)[] = [];
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const server = new (library().Server)({ hostKeys: [privateKey] }, (client) => {
    let user = "";
    ends.push(() => client.end());
    client.on("error", () => undefined);
    client.on("authentication", (asked: { readonly username: string; accept(): void }) => {
      user = asked.username;
      asked.accept();
    });
    client.on("session", (accept: () => Listener) => {
      accept().on("exec", (run: () => Duplex, _refuse: unknown, info: { readonly command: string }) => {
        seen.push(`${user}: ${info.command}`);
        const [stream, socket] = [run(), connect(leadsTo, "127.0.0.1")];
        ends.push(() => socket.destroy());
        socket.on("error", () => undefined);
        stream.on("error", () => undefined);
        stream.pipe(socket).pipe(stream);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const end of ends) end();
    server.close();
  };
  return { port: server.address().port, seen, close };
}
