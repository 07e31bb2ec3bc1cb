/** What a killed create left on a Docker engine. */
import type Docker from "dockerode";
import { veiled } from "../../../base/show";
import { messageOf } from "../../../base/text";
import { clusterOf } from "../../../agreed/labels/docker";
import type { DockerEngine } from "../../../config/docker-engine";
import type { DockerClusterPlan } from "../../../config/types";
import { inputText, providerOf, type State, type StateResource } from "../../recover/state";
import type { OnPlatform, Removal } from "../select";
import { dockerClient } from "./client";
import { engineFromHere } from "./engine";
import { sweep } from "./sweep";
import { removeObject, objectNamed, objectsOf, type ObjectKind } from "./objects";
import type { Search } from "../../recover/outcome";

const KINDS: Readonly<Record<string, ObjectKind>> = {
  "docker:index/container:Container": "container",
  "docker:index/volume:Volume": "volume",
  "docker:index/network:Network": "network",
};

/** A lab's containers, volumes and network, on the engine that the state names or the plan chooses. */
export function dockerLeftovers(plan: DockerClusterPlan): OnPlatform {
  const clientFor = (provider: StateResource | undefined): Docker =>
    dockerClient((provider === undefined ? undefined : engineOf(provider)) ?? engineFromHere(plan.docker));
  return {
    pulumiPackage: "docker",
    search: (state, resource) => dockerSearch(clientFor(providerOf(state, resource)), plan.name, resource),
    labelled: (state) => dockerObjects(clientFor(engineProvider(state)), plan.name),
    removeAll: (kinds, print) => removeFromEngine(plan, kinds, print),
  };
}

const engineProvider = ({ resources }: State): StateResource | undefined =>
  resources.find(({ type }) => type === "pulumi:providers:docker");

/** @throws when the engine does not answer: then nobody knows what is left. */
async function removeFromEngine(
  plan: DockerClusterPlan,
  kinds: Removal,
  print: (line: string) => void,
): Promise<void> {
  const engine = engineFromHere(plan.docker);
  print(`Docker engine ${veiled(engine.host)} (${engine.from})`);
  const docker = dockerClient(engine, REMOVAL_MS);
  try {
    await docker.ping();
  } catch (error) {
    throw new Error(
      `${veiled(engine.host)} (${engine.from}): ${messageOf(error)}: what is left on the engine cannot be removed, so .lab/ stays; start the engine and repeat`,
      { cause: error },
    );
  }
  await sweep(docker, { cluster: plan.name, kinds }, print);
}

/** Killing a node with a hundred containers in it takes the kernel a while. */
const REMOVAL_MS = 60_000;

/** Undefined for a kind that is not searched for (images stay). */
export function dockerSearch(docker: Docker, cluster: string, resource: StateResource): Search | undefined {
  const kind = KINDS[resource.type];
  const name = inputText(resource, "name");
  if (kind === undefined || name === undefined) return undefined;
  const what = `${kind} ${name}`;
  return {
    what,
    mark: `the label talos.cluster.name=${cluster}`,
    async find() {
      const object = await objectNamed(docker, kind, name);
      if (object === undefined) return undefined;
      const remove = () => removeObject(docker, object);
      return { id: object.id, what, ours: clusterOf(object.labels) === cluster, remove };
    },
  };
}

/** All of the cluster's objects that the engine has. */
export const dockerObjects = async (
  docker: Docker,
  cluster: string,
): Promise<{ id: string; what: string }[]> =>
  (await objectsOf(docker, cluster)).map(({ id, kind, name }) => ({ id, what: `${kind} ${name}` }));

/** The engine that the provider in the state talks to. */
export function engineOf(provider: StateResource): DockerEngine | undefined {
  const host = inputText(provider, "host");
  if (host === undefined) return undefined;
  const [ca, cert, key] = ["caMaterial", "certMaterial", "keyMaterial"].map((name) =>
    inputText(provider, name),
  );
  const engine = { host, from: "the stack's state" };
  return ca === undefined || cert === undefined || key === undefined
    ? engine
    : { ...engine, tls: { ca, cert, key } };
}
