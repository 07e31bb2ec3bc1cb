/** What the resources share: the client of the run, label and name properties, CIDR rules. */
import { isIPv4, isIPv6 } from "node:net";
import type { PropertySchema } from "../framework/bridged";
import type { Props, Value } from "../framework/types";
import { record, same } from "../framework/values";
import type { ApiNamed } from "./api-types";
import type { HetznerClient } from "./client";

/** The client of the latest Configure. */
export type Api = () => HetznerClient;

export const nameProperty: PropertySchema = { type: "string", required: true };
export const labelsProperty: PropertySchema = { type: "map" };
export const filledLabels: PropertySchema = { type: "map", computed: "optional" };
export const protectionProperty: PropertySchema = { type: "bool", default: false };

export const changed = (olds: Props, planned: Props, key: string): boolean =>
  key in planned && !same(olds[key], planned[key]);

/** PUT of name and labels, one request for each that changed, as the provider does. */
export async function putNamed(
  api: HetznerClient,
  path: string,
  change: { olds: Props; planned: Props; signal: AbortSignal },
): Promise<void> {
  const { olds, planned, signal } = change;
  if (changed(olds, planned, "name")) await api.put(path, { body: { name: planned["name"] }, signal });
  if (changed(olds, planned, "labels"))
    await api.put(path, { body: { labels: record(planned, "labels") }, signal });
}

export const namedState = ({ name, labels }: ApiNamed): Props => ({ name, labels });

export const ofProps = (pairs: Readonly<Record<string, Value | undefined>>): Props =>
  Object.fromEntries(
    Object.entries(pairs).filter(
      (pair): pair is [string, Value] => pair[1] !== undefined && pair[1] !== null,
    ),
  );

const shown = (value: Value): string => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** The SDK's wording for a bad network address. */
export function cidr(value: Value, terraformName: string): string | undefined {
  const given = shown(value);
  const [address = "", bits = ""] = given.split("/");
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
  if (/^\d+$/.test(bits) && Number(bits) <= most) return undefined;
  return `expected "${terraformName}" to be a valid CIDR Value, got ${given}: invalid CIDR address: ${given}`;
}

export const oneOf =
  (...choices: string[]) =>
  (value: Value, terraformName: string): string | undefined =>
    choices.includes(shown(value))
      ? undefined
      : `expected ${terraformName} to be one of ["${choices.join('" "')}"], got ${shown(value)}`;

/** `100007-10.0.1.0/24`, as the provider names subnets. */
export function parseSubnetId(subnetId: string): { network: number; ipRange: string } {
  const [, network = "", ipRange = ""] = /^(\d+)-(.+)$/.exec(subnetId) ?? [];
  return { network: Number(network), ipRange };
}
