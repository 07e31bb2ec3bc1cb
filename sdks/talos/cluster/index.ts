import { registerModule } from "../modules";
import { Kubeconfig } from "./kubeconfig";

export { Kubeconfig };
export type { KubeconfigArgs, KubeconfigState } from "./kubeconfig";
export * from "./get-health";
export * from "./get-kubeconfig";

registerModule("cluster/kubeconfig", { Kubeconfig });
