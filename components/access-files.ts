import type { ClusterPlan } from "../config/types";
import { operation } from "./operation";
import type { Access } from "./types";

/** The lab's files: `.lab/kubeconfig` of the stack called lab, `.lab/<cluster>/kubeconfig` of any other. */
const accessDirectory = (cluster: string): string => (cluster === "lab" ? ".lab" : `.lab/${cluster}`);

/** Writes the lab's kubeconfig and talosconfig with mode 0600 and deletes them with the lab; a fleet has outputs only. */
export function accessFiles(
  name: string,
  args: { readonly plan: ClusterPlan; readonly access: Access },
): void {
  if (args.plan.platform !== "docker") return;
  const { kubeconfig, talosconfig } = args.access;
  operation(
    `${name}-files`,
    {
      call: "write-access",
      onChange: "write-access",
      onDelete: "write-access --remove",
      input: { directory: accessDirectory(name), kubeconfig, talosconfig },
    },
    {},
  );
}
