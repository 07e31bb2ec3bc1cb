/** Addresses of Docker engines, as keys, contexts and DOCKER_HOST give them: the one place that reads them. Pure. */

/** Where an address leads, read as Docker's own client reads it. */
export type EngineTarget =
  /** A Unix socket, or a named pipe of Windows. */
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "ssh"; readonly host: string; readonly port: number; readonly user: string }
  /** `basePath` stands before the paths of the API; empty, or beginning with a slash. */
  | {
      readonly kind: "tcp";
      readonly host: string;
      readonly port: number;
      readonly secure: boolean;
      readonly basePath: string;
    };

/** Never says the address: it may hold a password or a token. */
export interface AddressProblem {
  readonly rule: string;
  readonly repair: string;
}

const PORT = { plain: 2375, tls: 2376, ssh: 22 } as const;
const example = "unix:///var/run/docker.sock";

export const notAnAddress: AddressProblem = {
  rule: "is not an engine's address",
  repair: `write it like ${example}`,
};

/** What an address says, or what is wrong with it. */
export function readEngineAddress(address: string, hasTls = false): EngineTarget | AddressProblem {
  const [, scheme, rest = ""] = /^(unix|npipe|tcp|https?|ssh):\/\/(.+)$/.exec(address) ?? [];
  if (scheme === undefined) return withOneSlash(address);
  // URL would quietly leave these out of the address.
  if (/[\u0000-\u001f\u007f]|\s$/.test(rest)) return notAnAddress;
  if (scheme === "npipe") return { kind: "socket", path: rest };
  if (scheme === "unix") return rest.startsWith("/") ? { kind: "socket", path: rest } : notWhole(rest);
  return overNetwork({ address, scheme, rest }, hasTls);
}

/** What is wrong with an engine's address, as `rule; repair`. */
export function engineAddressProblem(address: string): string | undefined {
  const read = readEngineAddress(address);
  return "rule" in read ? `${read.rule}; ${read.repair}` : undefined;
}

/** Whether an address is on another machine, whose published ports 127.0.0.1 does not reach. */
export function isRemote(address: string): boolean {
  const read = readEngineAddress(address);
  return "host" in read && !/^(localhost|127(\.\d+){3}|::1)$/i.test(read.host);
}

/** Docker takes `unix:/run/x` for a machine called `unix`. */
function withOneSlash(address: string): AddressProblem {
  const path = /^unix:\/(?!\/)(.+)$/.exec(address)?.[1];
  if (path === undefined) return notAnAddress;
  return { rule: "has one slash after unix:, and Docker wants two before the path", repair: whole(path) };
}

/** Docker begins such a path in the folder that it is run in. */
const notWhole = (path: string): AddressProblem => ({
  rule: "names a path that does not begin with a slash",
  repair: whole(path),
});

/** Only what is surely a path is shown. */
const whole = (path: string): string =>
  /^\w[\w./+-]*$/.test(path) ? `write unix:///${path}` : notAnAddress.repair;

interface Parts {
  readonly address: string;
  readonly scheme: string;
  readonly rest: string;
}

function overNetwork(parts: Parts, hasTls: boolean): EngineTarget | AddressProblem {
  const { address, scheme, rest } = parts;
  // Of a scheme that it does not know URL keeps the port: of https it leaves out 443.
  const [url, kept] = [URL.parse(address), URL.parse(`tcp://${rest}`)];
  if (url === null || kept === null || url.hostname === "" || rest.startsWith("/")) return notAnAddress;
  const { port, pathname } = kept;
  const isSsh = scheme === "ssh";
  const basePath = pathname.replace(/\/+$/, "");
  const problem = loginProblem(url, isSsh) ?? tailProblem({ rest, basePath, scheme });
  if (problem !== undefined) return problem;
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const portOr = (otherwise: number) => (port === "" ? otherwise : Number(port));
  if (isSsh) {
    const user = decoded(url.username);
    return user === undefined ? notAnAddress : { kind: "ssh", host, port: portOr(PORT.ssh), user };
  }
  const secure = hasTls || scheme === "https";
  return { kind: "tcp", host, port: portOr(secure ? PORT.tls : PORT.plain), secure, basePath };
}

function loginProblem({ username, password }: URL, isSsh: boolean): AddressProblem | undefined {
  if (password === "" && (username === "" || isSsh)) return undefined;
  const repair = `remove ${isSsh ? "the password" : "everything between // and @"}`;
  return { rule: "holds a user name or password, which no client of an engine takes", repair };
}

/** What comes after host and port: Docker has a use for a path in tcp:// addresses alone. */
function tailProblem(tail: { readonly rest: string; readonly basePath: string; readonly scheme: string }) {
  const mark = /[?#]/.exec(tail.rest)?.[0];
  if (mark !== undefined) {
    const what = mark === "?" ? "a query" : "a fragment";
    return {
      rule: `has ${what}, which no engine's address has`,
      repair: `remove everything from ${mark} on`,
    };
  }
  if (tail.basePath === "" || tail.scheme === "tcp") return undefined;
  const rule = `has a path, which Docker's clients do not take in ${tail.scheme}:// addresses`;
  return { rule, repair: "remove everything after host and port" };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
