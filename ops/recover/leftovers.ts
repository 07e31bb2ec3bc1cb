/** What a pending create left: asked of the one who made it, through its own provider in the state. */
import { messageOf } from "../../base/text";
import { kubernetesClient } from "../clients/kubernetes";
import type { OnPlatform } from "../platforms/select";
import { recoverObject } from "./kubernetes";
import { type Outcome, removeFound } from "./outcome";
import { inputText, providerOf, type State, type StateResource } from "./state";

export interface Leftovers {
  readonly state: State;
  readonly platform: OnPlatform;
  readonly cluster: string;
}

/** Removes what the create of this resource left. Images stay, and so does what this program does not make. */
export async function removeLeftover(where: Leftovers, resource: StateResource): Promise<Outcome> {
  const { state, platform, cluster } = where;
  const inState = (id: string): boolean =>
    state.resources.some(({ type, id: known }) => type === resource.type && known === id);
  switch (packageOf(resource)) {
    case platform.pulumiPackage:
      try {
        const search = platform.search(state, resource);
        return search === undefined ? REPEATABLE : await removeFound(search, inState);
      } catch (error) {
        return { kind: "failed", what: "what it left", why: messageOf(error) };
      }
    case "kubernetes":
      return recoverObject({ api: apiOf(state, resource), cluster, inState }, resource);
    default:
      return REPEATABLE;
  }
}

/** `docker` of `docker:index/container:Container`. */
const packageOf = ({ type }: StateResource): string => type.split(":")[0] ?? "";

const REPEATABLE: Outcome = { kind: "repeatable", why: "nothing of it would be in the way" };

function apiOf(state: State, resource: StateResource): ReturnType<typeof kubernetesClient> | undefined {
  const provider = providerOf(state, resource);
  const kubeconfig = provider === undefined ? undefined : inputText(provider, "kubeconfig");
  if (kubeconfig === undefined) return undefined;
  try {
    return kubernetesClient(kubeconfig);
  } catch {
    // A broken one opens nothing: what it left cannot be asked for, and the rest can still be recovered.
    return undefined;
  }
}
