import { isZero, sortSet } from "../framework/bridged-schema";
import type { DiffRequest, DiffResponse, Props, ResourceStandIn, Value } from "../framework/types";
import { isList, isProps, mapProps, plainProps, same } from "../framework/values";
import { containerSchema } from "./container-schema";

const bare = (port: Value): Value =>
  isProps(port) ? Object.fromEntries(Object.entries(port).filter(([key]) => key !== "__defaults")) : port;

/** The wanted ports in the order of the old ones when both hold the same: their order is no change. */
function orderLike(wanted: Value | undefined, before: Value | undefined): Value | undefined {
  if (!isList(wanted) || !isList(before) || wanted.length !== before.length) return wanted;
  const rest = [...wanted];
  const ordered = before.map((old) => {
    const index = rest.findIndex((port) => same(bare(port), bare(old)));
    return index < 0 ? undefined : rest.splice(index, 1)[0];
  });
  return ordered.every((port) => port !== undefined) ? ordered : wanted;
}

/** What a Read filled in with nothing stays as it is when an Update does not touch it. */
function keepNothing(after: Value, before: Value | undefined): Value {
  if (after === null) return before !== undefined && isZero(before) ? before : null;
  if (isList(after) && isList(before)) return after.map((item, index) => keepNothing(item, before[index]));
  return isProps(after) && isProps(before)
    ? mapProps(after, (item, key) => keepNothing(item, before[key]))
    : after;
}

const isPlainSet = (key: string): boolean => {
  const property = containerSchema.properties[key];
  return property?.type === "set" && property.fields === undefined;
};

/** Read gives sets of texts back in their own order, other sets in the order in which they were given. */
const ownOrder = (inputs: Props): Props =>
  mapProps(inputs, (value, key) => (isList(value) && isPlainSet(key) ? sortSet(value) : value));

/** The plugin's Container, where it is not as the rest of the bridge. */
export function withQuirks(container: ResourceStandIn): ResourceStandIn {
  return {
    ...container,
    diff: (request: DiffRequest): Promise<DiffResponse> => {
      const ports = orderLike(request.news["ports"], request.olds["ports"]);
      return container.diff(ports === undefined ? request : { ...request, news: { ...request.news, ports } });
    },
    read: async (request) => {
      const found = await container.read(request);
      return found === undefined ? undefined : { ...found, inputs: ownOrder(found.inputs) };
    },
    update: async (request) => {
      const olds = plainProps(request.olds);
      const { state } = await container.update(request);
      return { state: mapProps(state, (value, key) => keepNothing(value, olds[key])) };
    },
  };
}
