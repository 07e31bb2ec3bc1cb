import { isFaulty } from "../../faulty";
import { show } from "../../../base/show";
import type { Rule } from "../../rules/input";
import { dockerDefaults } from "./defaults";

/** Port of a node's Talos API on the engine's host. */
export const nodePort = (talosPort: number, host: number): number => talosPort + host - 2;

const portsFit: Rule = ({ draft, layout }) => {
  if (isFaulty(draft, "docker.talosPort")) return [];
  const talosPort = draft.docker?.talosPort ?? dockerDefaults.talosPort;
  const highest = layout.reduce((most, { host = 0 }) => Math.max(most, nodePort(talosPort, host)), 0);
  if (highest <= 65535) return [];
  const rule = `a node's port is talosPort + host number - 2, which reaches ${highest}, above 65535`;
  return [
    {
      key: "docker.talosPort",
      value: String(talosPort),
      rule,
      repair: `set it to ${65535 - (highest - talosPort)} or less`,
    },
  ];
};

const portsAreApart: Rule = ({ draft, layout }) => {
  const keys = ["docker.talosPort", "docker.kubernetesPort"];
  if (keys.some((key) => isFaulty(draft, key))) return [];
  const talosPort = draft.docker?.talosPort ?? dockerDefaults.talosPort;
  const kubernetesPort = draft.docker?.kubernetesPort ?? dockerDefaults.kubernetesPort;
  const node = layout.find(({ host }) => host !== undefined && nodePort(talosPort, host) === kubernetesPort);
  if (node === undefined) return [];
  const rule = `port ${kubernetesPort} is the Kubernetes API's and, as talosPort + host number - 2, the Talos API's of ${node.name}`;
  const repair = "change one of the two keys";
  return [
    {
      key: "docker.kubernetesPort and docker.talosPort",
      value: show(`${kubernetesPort} and ${talosPort}`),
      rule,
      repair,
    },
  ];
};

export const portRules = { portsFit, portsAreApart };
