/** What a killed create left on a Docker engine. */
import type Docker from "dockerode";
import { clusterOf } from "../../../agreed/labels/docker";
import type { DockerEngine } from "../../../config/docker-engine";
import { removeThing, thingNamed, thingsOf, type ThingKind } from "./objects";
import type { Search } from "../../recover/outcome";
import { inputText, type StateResource } from "../../recover/state";

const KINDS: Readonly<Record<string, ThingKind>> = {
  "docker:index/container:Container": "container",
  "docker:index/volume:Volume": "volume",
  "docker:index/network:Network": "network",
};

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
      const thing = await thingNamed(docker, kind, name);
      if (thing === undefined) return undefined;
      const remove = () => removeThing(docker, thing);
      return { id: thing.id, what, ours: clusterOf(thing.labels) === cluster, remove };
    },
  };
}

/** All of the cluster's things that the engine has. */
export const dockerThings = async (
  docker: Docker,
  cluster: string,
): Promise<{ id: string; what: string }[]> =>
  (await thingsOf(docker, cluster)).map(({ id, kind, name }) => ({ id, what: `${kind} ${name}` }));

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
