import { defaults } from "../defaults";
import { show } from "../draft";
import type { Draft } from "../draft";
import type { Fault } from "../../base/faults";
import { networkZones } from "../locations";
import { nearest } from "../../base/nearest";
import type { Rule } from "./input";

const sectionsFitThePlatform: Rule = ({ draft }) => {
  const { platform } = draft;
  if (platform === undefined) return [];
  const other = platform === "docker" ? "hetzner" : "docker";
  if (draft[other] === undefined) return [];
  const rule = `has no meaning with platform ${platform}`;
  return [
    {
      key: `${other} and platform`,
      value: "(a mapping)",
      rule,
      repair: `remove it, or set platform: ${other}`,
    },
  ];
};

const serversNeedHetzner: Rule = ({ draft }) => {
  if (draft.platform !== "docker") return [];
  return placed(draft).flatMap(({ key, serverType, location }) =>
    Object.entries({ serverType, location }).flatMap(([name, value]): Fault[] =>
      value === undefined
        ? []
        : [
            {
              key: `${key}.${name}`,
              value: show(value),
              rule: "containers have none",
              repair: "remove it, or set platform: hetzner",
            },
          ],
    ),
  );
};

const locationsAreKnown: Rule = ({ draft }) =>
  locationsOf(draft)
    .filter(({ location }) => networkZones[location] === undefined)
    .map(({ key, location }) => {
      const known = Object.keys(networkZones);
      const rule = `is not a Hetzner location (${known.join(", ")})`;
      return {
        key,
        value: show(location),
        rule,
        repair: `did you mean ${nearest(location, known) ?? "another one"}?`,
      };
    });

const locationsShareAZone: Rule = ({ draft }) => {
  const home = draft.hetzner?.location ?? defaults.hetzner.location;
  const zone = networkZones[home];
  if (draft.platform !== "hetzner" || zone === undefined) return [];
  return locationsOf(draft)
    .filter(({ key }) => key !== "hetzner.builder.location")
    .filter(({ location }) => networkZones[location] !== undefined && networkZones[location] !== zone)
    .map(({ key, location }) => ({
      key: `${key} and hetzner.location`,
      value: `${location} and ${home}`,
      rule: `a network lies in one zone, and these are ${networkZones[location] ?? ""} and ${zone}`,
      repair: `choose a location of ${zone}: ${locationsIn(zone).join(", ")}`,
    }));
};

/** cax types are arm64, all others amd64; one snapshot serves one of the two. */
const serversShareAnArchitecture: Rule = ({ draft }) => {
  if (draft.platform !== "hetzner") return [];
  const builder = { key: "hetzner.builder", serverType: draft.hetzner?.builder?.serverType };
  const chosen = placed(draft).map(({ key, serverType }) => ({
    key,
    serverType: serverType ?? defaultType(key),
  }));
  const types = [...chosen, builder].flatMap(({ key, serverType }) =>
    serverType === undefined ? [] : [{ key: `${key}.serverType`, serverType }],
  );
  const [first, ...others] = types;
  return others
    .filter(({ serverType }) => isArm(serverType) !== isArm(first?.serverType))
    .map(({ key, serverType }) => ({
      key: `${key} and ${first?.key ?? ""}`,
      value: `${serverType} and ${first?.serverType ?? ""}`,
      rule: "are of two architectures, and all servers start from one snapshot",
      repair: "choose cax types everywhere or nowhere",
    }));
};

function defaultType(key: string): string {
  return defaults.hetzner.serverType[key === "controlPlanes" ? "controlPlanes" : "workers"];
}

function isArm(serverType: string | undefined): boolean {
  return serverType?.startsWith("cax") ?? false;
}

const engineIsNamedOnce: Rule = ({ draft: { docker } }) => {
  if (docker?.host === undefined || docker.context === undefined) return [];
  const rule = "both name the engine";
  return [
    { key: "docker.host and docker.context", value: show(docker.context), rule, repair: "keep one of them" },
  ];
};

/** The Docker provider reads 10 and 20 CPUs back as `10.` and `20.`, and `cpus` replaces a container. */
const cpusReadBackAlike: Rule = ({ draft: { docker } }) => {
  const { cpus } = docker ?? {};
  if (cpus === undefined || cpus % 10 !== 0) return [];
  const rule =
    "the Docker provider reads multiples of ten back differently and would replace every node in every run";
  return [{ key: "docker.cpus", value: show(cpus), rule, repair: `set ${cpus - 1} or ${cpus + 1}` }];
};

/** A tag of another form, or a digest, is the operator's own business. */
const imageSuitsTheVersion: Rule = ({ draft: { docker, talosVersion } }) => {
  const tag = /:(v\d+\.\d+\.\d+[^/@]*)$/.exec(docker?.image ?? "")?.[1];
  if (tag === undefined || talosVersion === undefined || tag === talosVersion) return [];
  const rule = `the lab would run ${tag} and be configured for ${talosVersion}`;
  return [
    {
      key: "docker.image and talosVersion",
      value: `${show(docker?.image)} and ${talosVersion}`,
      rule,
      repair: "give both the same version, or leave docker.image out",
    },
  ];
};

const factoryUrlIsOpen: Rule = ({ draft: { factoryUrl } }) => {
  if (factoryUrl === undefined || !/^https?:\/\/[^/]*@/.test(factoryUrl)) return [];
  const rule =
    "holds a user name or password, which would go into every node's config and the state in clear";
  return [
    { key: "factoryUrl", value: "(value not shown)", rule, repair: "remove everything between // and @" },
  ];
};

function locationsOf(draft: Draft): { key: string; location: string }[] {
  const places = [
    { key: "hetzner", location: draft.hetzner?.location },
    ...placed(draft),
    { key: "hetzner.builder", location: draft.hetzner?.builder?.location },
  ];
  return places.flatMap(({ key, location }) =>
    location === undefined ? [] : [{ key: `${key}.location`, location }],
  );
}

function placed(
  draft: Draft,
): { key: string; serverType?: string | undefined; location?: string | undefined }[] {
  const controlPlanes =
    draft.controlPlanes === undefined ? [] : [{ ...draft.controlPlanes, key: "controlPlanes" }];
  return [...controlPlanes, ...draft.pools].map(({ key, serverType, location }) => ({
    key,
    serverType,
    location,
  }));
}

function locationsIn(zone: string): string[] {
  return Object.keys(networkZones).filter((location) => networkZones[location] === zone);
}

export const platformRules = {
  sectionsFitThePlatform,
  serversNeedHetzner,
  locationsAreKnown,
  locationsShareAZone,
  serversShareAnArchitecture,
  engineIsNamedOnce,
  cpusReadBackAlike,
  imageSuitsTheVersion,
  factoryUrlIsOpen,
};
