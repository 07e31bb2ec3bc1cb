/** The network interfaces that a patch speaks of, in the old form (`machine.network.interfaces`). */
import { isMappingValue, valueAt } from "../../base/paths";
import type { Mapping } from "../../base/paths";

interface Vip {
  /** `machine.network.interfaces[0].vip`. */
  readonly path: string;
  readonly vip: unknown;
}

export function interfacesOf(document: unknown): readonly Mapping[] {
  const value = valueAt(document, "machine.network.interfaces");
  return Array.isArray(value) ? value.filter(isMappingValue) : [];
}

/** Shared addresses of interfaces and of their VLANs. */
export const vipsOf = (document: unknown): readonly Vip[] =>
  interfacesOf(document).flatMap((item, index) => {
    const path = `machine.network.interfaces[${index}]`;
    const vlans = Array.isArray(item["vlans"]) ? item["vlans"].filter(isMappingValue) : [];
    return [
      { path: `${path}.vip`, vip: item["vip"] },
      ...vlans.map((vlan, number) => ({ path: `${path}.vlans[${number}].vip`, vip: vlan["vip"] })),
    ].filter(({ vip }) => vip !== undefined && vip !== null);
  });
