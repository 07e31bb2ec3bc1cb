/** Servers, as their own Talos shows them. */
import { withTalosctl } from "../../clients/talosctl";
import { kubeletCause } from "../kubelet-causes";
import type { LiveMachines, TalosAccess } from "../select";
import { serverLog } from "./logs";

export const hetznerMachines = ({ talosconfig, nodes }: TalosAccess): LiveMachines => ({
  async log(name, lines) {
    const node = nodes.find((one) => one.name === name);
    if (node === undefined) return undefined;
    return withTalosctl(talosconfig, (talosctl) => serverLog(talosctl, node, lines));
  },
  inVain: () => Promise.resolve({}),
  cause: kubeletCause,
});
