import { z } from "zod";
import { type Call, created, labels, name, noContent, ok, read, type Reply, type Route } from "../core/call";
import { limitExceeded, refused } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import { placementGroupView } from "../core/views";

const createBody = z.object({ name, labels, type: z.literal("spread") });

function create(call: Call): Reply {
  const { world } = call;
  const body = read(call, createBody);
  world.placementGroups.requireFree(body.name);
  if (world.placementGroups.all().length >= world.limits.placementGroups)
    throw limitExceeded("placement group");
  const group = world.placementGroups.add({ ...world.fresh(body.name, body.labels), type: body.type });
  return created({ placement_group: placementGroupView(world, group), action: null });
}

const updateBody = z.object({ name: name.nullish(), labels });

function update(call: Call): Reply {
  const group = call.world.placementGroups.get(call.id);
  const body = read(call, updateBody);
  if (body.name != null) call.world.placementGroups.requireFree(body.name, group.id);
  checkLabels(body.labels ?? {});
  group.name = body.name ?? group.name;
  group.labels = body.labels ?? group.labels;
  return ok({ placement_group: placementGroupView(call.world, group) });
}

function remove({ world, id }: Call): Reply {
  const group = world.placementGroups.get(id);
  if (world.servers.all().some((server) => server.placementGroup === id)) {
    throw refused("resource_in_use", `placement group with ID '${id}' is still in use`);
  }
  world.placementGroups.remove(group.id);
  return noContent;
}

export const placementGroupRoutes: readonly Route[] = [
  [
    "GET /placement_groups",
    ({ world, query }) => {
      const groups = world.placementGroups.all().map((group) => placementGroupView(world, group));
      return ok(page("placement_groups", groups, query));
    },
  ],
  [
    "GET /placement_groups/:id",
    ({ world, id }) => ok({ placement_group: placementGroupView(world, world.placementGroups.get(id)) }),
  ],
  ["POST /placement_groups", create],
  ["PUT /placement_groups/:id", update],
  ["DELETE /placement_groups/:id", remove],
];
