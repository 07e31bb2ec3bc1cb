/** Who can say what a pending create left: by the resource's kind, through its own provider in the state. */
import type Docker from "dockerode";
import type { ClusterPlan } from "../../config/types";
import { dockerClient } from "../platforms/docker/client";
import { engineFromHere } from "../platforms/docker/engine";
import { kubernetesClient } from "../clients/kubernetes";
import { dockerSearch, dockerThings, engineOf } from "../platforms/docker/leftovers";
import { hetznerSearch, hetznerThings } from "../platforms/hetzner/leftovers";
import { type HetznerClient, hetznerClient } from "../platforms/hetzner/client";
import { recoverObject } from "./kubernetes";
import { type Outcome, removeFound, type Search } from "./outcome";
import { inputText, providerOf, type State, type StateResource } from "./state";

export interface Searchers {
  /** Removes what the create of this resource left. */
  remove(resource: StateResource): Promise<Outcome>;
  /** All that carries the cluster's labels. */
  things(): Promise<{ id: string; what: string }[]>;
}

export function searchers(state: State, plan: ClusterPlan): Searchers {
  const cluster = plan.name;
  return {
    remove: async (resource) => {
      const inState = inStateOf(state, resource.type);
      switch (packageOf(resource)) {
        case "docker":
          return removed(dockerSearch(dockerOf(state, plan, resource), cluster, resource), inState);
        case "hcloud": {
          const client = hetznerOf(state, resource);
          if (client === undefined) return NO_TOKEN;
          return removed(hetznerSearch({ client, cluster }, resource), inState);
        }
        case "kubernetes":
          return recoverObject({ api: kubernetesOf(state, resource), cluster, inState }, resource);
        default:
          return REPEATABLE;
      }
    },
    things: async () => {
      const [providers, has] = [state.resources, (name: string) => (one: StateResource) => one.type === name];
      if (plan.platform === "docker") {
        return dockerThings(dockerOf(state, plan, providers.find(has("pulumi:providers:docker"))), cluster);
      }
      const client = hetznerClient(providers.find(has("pulumi:providers:hcloud")));
      return client === undefined ? [] : hetznerThings({ client, cluster });
    },
  };
}

/** `docker` of `docker:index/container:Container`. */
const packageOf = ({ type }: StateResource): string => type.split(":")[0] ?? "";

const inStateOf =
  ({ resources }: State, type: string) =>
  (id: string): boolean =>
    resources.some((resource) => resource.type === type && resource.id === id);

const REPEATABLE: Outcome = { kind: "repeatable", why: "nothing of it would be in the way" };

const NO_TOKEN: Outcome = {
  kind: "failed",
  what: "what it left",
  why: "there is no Hetzner token, neither in the stack's state nor in HCLOUD_TOKEN",
};

/** Images stay, and so does what this program does not make. */
const removed = (search: Search | undefined, inState: (id: string) => boolean): Promise<Outcome> | Outcome =>
  search === undefined ? REPEATABLE : removeFound(search, inState);

/** The engine that the run used; where the state does not tell, the one that the program would choose now. */
function dockerOf(state: State, plan: ClusterPlan, resource: StateResource | undefined): Docker {
  const provider = resource?.type.startsWith("pulumi:providers:") === true ? resource : undefined;
  const used = provider ?? (resource === undefined ? undefined : providerOf(state, resource));
  const engine = used === undefined ? undefined : engineOf(used);
  return dockerClient(engine ?? engineFromHere(plan.platform === "docker" ? plan.docker : {}));
}

const hetznerOf = (state: State, resource: StateResource): HetznerClient | undefined =>
  hetznerClient(providerOf(state, resource));

function kubernetesOf(state: State, resource: StateResource) {
  const provider = providerOf(state, resource);
  const kubeconfig = provider === undefined ? undefined : inputText(provider, "kubeconfig");
  return kubeconfig === undefined ? undefined : kubernetesClient(kubeconfig);
}
