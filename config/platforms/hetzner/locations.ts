/** Hetzner's locations and the network zone each lies in (docs.hetzner.com/cloud/general/locations). */
const networkZones: ReadonlyMap<string, string> = new Map([
  ["fsn1", "eu-central"],
  ["nbg1", "eu-central"],
  ["hel1", "eu-central"],
  ["ash", "us-east"],
  ["hil", "us-west"],
  ["sin", "ap-southeast"],
]);

export const locations: readonly string[] = [...networkZones.keys()];

/** Undefined for what is no location. */
export const zoneOf = (location: string): string | undefined => networkZones.get(location);

export const locationsIn = (zone: string): readonly string[] =>
  locations.filter((location) => zoneOf(location) === zone);

/** Targets a load balancer type takes. */
export const loadBalancerTargets = { lb11: 25, lb21: 75, lb31: 150 } as const;
