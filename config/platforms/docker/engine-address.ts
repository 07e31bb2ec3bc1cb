/** Addresses of Docker engines, as keys and DOCKER_HOST give them. Pure. */

const schemes = ["unix:", "npipe:", "tcp:", "http:", "https:", "ssh:"];
const example = "write it like unix:///var/run/docker.sock";

/** What is wrong with an engine's address, as `rule; repair`; never says the address, which may hold a password. */
export function engineAddressProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !schemes.includes(url.protocol)) return `is not an engine's address; ${example}`;
  const isLocal = isSocket(url);
  if (isLocal ? url.pathname === "" : url.hostname === "") return `is not an engine's address; ${example}`;
  const isSsh = url.protocol === "ssh:";
  if (url.password !== "" || (url.username !== "" && !isSsh)) {
    const rule = "holds a user name or password, which no client of an engine takes";
    return `${rule}; remove ${isSsh ? "the password" : "everything between // and @"}`;
  }
  return undefined;
}

const PORT = { plain: 2375, tls: 2376 } as const;

/** The port of an engine that is spoken to over TCP. */
export function enginePort(address: string, secure: boolean): number {
  // URL leaves out a port that is its scheme's own.
  return Number(/:(\d+)\/?$/.exec(address)?.[1] ?? (secure ? PORT.tls : PORT.plain));
}

/** Whether an accepted address is on another machine, whose published ports 127.0.0.1 does not reach. */
export function isRemote(address: string): boolean {
  const url = new URL(address);
  return !isSocket(url) && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

export const isSocket = ({ protocol }: Pick<URL, "protocol">): boolean =>
  protocol === "unix:" || protocol === "npipe:";
