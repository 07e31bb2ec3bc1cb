/** Reads `talosctl service NAME` of one node or several: blocks of `NODE`, `ID`, `STATE`, `HEALTH`, `EVENTS`. Pure. */

export interface ServiceState {
  /** `Running`, `Preparing`, `Waiting`, ... */
  readonly state: string;
  /** `OK`, `?`, `Fail` */
  readonly health: string;
  /** What happened to it, the newest first, without how long ago. */
  readonly events: readonly string[];
}

/** By the node's address. */
export function serviceStates(text: string): ReadonlyMap<string, ServiceState> {
  const blocks = text.split(/^(?=NODE\s)/m).map(blockOf);
  // A block without a state says nothing.
  return new Map(
    blocks.flatMap(({ node, ...rest }) => (node === "" || rest.health === "" ? [] : [[node, rest]])),
  );
}

function blockOf(block: string): ServiceState & { node: string } {
  const value = (key: string) => new RegExp(`^${key}[ \\t]+(.*)$`, "m").exec(block)?.[1]?.trim() ?? "";
  const events = [...block.matchAll(/^(?:EVENTS)?[ \t]+\[\w+\]: (.*)$/gm)].map(([, event = ""]) =>
    event.trim().replace(/ \([^()]* ago\)$/, ""),
  );
  return { node: value("NODE"), state: value("STATE"), health: value("HEALTH"), events };
}

/** `OK`, or state and health in words. */
export const healthText = ({ state, health }: ServiceState): string =>
  health === "OK" ? health : `${state}, health ${health}`;
