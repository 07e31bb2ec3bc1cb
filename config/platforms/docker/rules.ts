import type { Fault } from "../../../base/faults";
import { notShown, show } from "../../../base/show";
import { groupsOf } from "../../groups";
import type { Rule } from "../../rules/input";
import { isRemote } from "./engine-address";
import { portRules } from "./ports";

const serversNeedHetzner: Rule = ({ draft }) =>
  groupsOf(draft).flatMap(({ key, serverType, location }) =>
    Object.entries({ serverType, location }).flatMap(([name, value]): Fault[] => {
      if (value === undefined) return [];
      const repair = "remove it, or set platform: hetzner";
      return [{ key: `${key}.${name}`, value: show(value), rule: "containers have none", repair }];
    }),
  );

const engineIsNamedOnce: Rule = ({ draft: { docker } }) => {
  if (docker?.host === undefined || docker.context === undefined) return [];
  const rule = "both name the engine";
  return [
    { key: "docker.host and docker.context", value: show(docker.context), rule, repair: "keep one of them" },
  ];
};

/** Only a named host is judged: a context's is known on the machine that has the context. */
const remotePortsAreReached: Rule = ({ draft: { docker } }) => {
  const { host, hostAddress } = docker ?? {};
  if (host === undefined || hostAddress !== undefined || !isRemote(host)) return [];
  const rule = "the engine is on another machine, and its published ports are not at 127.0.0.1";
  const repair = "set docker.hostAddress to the IPv4 address of that machine";
  return [{ key: "docker.host and docker.hostAddress", value: `${notShown} and (not set)`, rule, repair }];
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
  const rule = `the lab would run ${show(tag)} and be configured for ${talosVersion}`;
  return [
    {
      key: "docker.image and talosVersion",
      value: `${show(docker?.image)} and ${talosVersion}`,
      rule,
      repair: "give both the same version, or leave docker.image out",
    },
  ];
};

export const dockerRules = {
  serversNeedHetzner,
  engineIsNamedOnce,
  remotePortsAreReached,
  cpusReadBackAlike,
  imageSuitsTheVersion,
  ...portRules,
};
