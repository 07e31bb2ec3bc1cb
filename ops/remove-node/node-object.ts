/** A node's object in Kubernetes, through whichever control plane answers. */
import { messageOf } from "../../base/text";
import { readKubeconfig } from "../../agreed/kubeconfig";
import { kubernetesClient } from "../clients/kubernetes";

export interface NodeObjects {
  /** False when there was none. @throws when no API server can be asked, or one refuses. */
  readonly remove: (name: string) => Promise<boolean>;
}

/** The machine that goes is often behind the kubeconfig's first server, so each is tried. */
export const nodeObjects = (kubeconfig: string): NodeObjects => ({
  remove: async (name) => {
    const faults: string[] = [];
    for (const server of readKubeconfig(kubeconfig).servers) {
      try {
        const { status } = await kubernetesClient(kubeconfig, server).delete<unknown>(
          `/api/v1/nodes/${name}`,
        );
        if (status === 404) return false;
        if (status < 300) return true;
        faults.push(`${server} answers ${status}`);
      } catch (error) {
        faults.push(`${server}: ${messageOf(error)}`);
      }
    }
    throw new Error(`Node ${name} could not be removed from Kubernetes: ${faults.join("; ")}`);
  },
});
