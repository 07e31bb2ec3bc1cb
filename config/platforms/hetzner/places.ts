import { didYouMean } from "../../../base/nearest";
import { show } from "../../../base/show";
import { groupsOf } from "../../groups";
import type { Rule } from "../../rules/input";
import { hetznerDefaults } from "./defaults";
import { locations, locationsIn, zoneOf } from "./locations";
import { placesOf } from "./nodes";

const locationsAreKnown: Rule = ({ draft }) =>
  [{ key: "hetzner", location: draft.hetzner?.location }, ...groupsOf(draft)].flatMap(({ key, location }) =>
    location === undefined || zoneOf(location) !== undefined
      ? []
      : [
          {
            key: `${key}.location`,
            value: show(location),
            rule: `is not a Hetzner location (${locations.join(", ")})`,
            repair: didYouMean(location, locations),
          },
        ],
  );

const locationsShareAZone: Rule = ({ draft }) => {
  const home = draft.hetzner?.location ?? hetznerDefaults.location;
  const zone = zoneOf(home);
  if (zone === undefined) return [];
  return placesOf(draft).flatMap(({ key, location }) => {
    const other = zoneOf(location);
    if (other === undefined || other === zone) return [];
    return [
      {
        key: `${key}.location and hetzner.location`,
        value: `${location} and ${home}`,
        rule: `a network lies in one zone, and these are ${other} and ${zone}`,
        repair: `choose a location of ${zone}: ${locationsIn(zone).join(", ")}`,
      },
    ];
  });
};

/** cax types are arm64, all others amd64; one snapshot serves one of the two. */
const serversShareAnArchitecture: Rule = ({ draft }) => {
  const [first, ...others] = placesOf(draft);
  if (first === undefined) return [];
  return others
    .filter(({ serverType }) => isArm(serverType) !== isArm(first.serverType))
    .map(({ key, serverType }) => ({
      key: `${key}.serverType and ${first.key}.serverType`,
      value: `${serverType} and ${first.serverType}`,
      rule: "are of two architectures, and all servers start from one snapshot",
      repair: "choose cax types everywhere or nowhere",
    }));
};

const isArm = (serverType: string): boolean => serverType.startsWith("cax");

export const placeRules = { locationsAreKnown, locationsShareAZone, serversShareAnArchitecture };
