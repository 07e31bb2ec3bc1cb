import { z } from "zod";
import { type Call, created, labels, noContent, ok, read, type Reply, type Route } from "../core/call";
import { invalid } from "../core/errors";
import { checkLabels } from "../core/labels";
import { page } from "../core/lists";
import { imageView } from "../core/views";
import { relabel } from "./server-settings";

const updateBody = z.object({
  description: z.string().nullish(),
  type: z.literal("snapshot").nullish(),
  labels,
});

function update(call: Call): Reply {
  const image = call.world.images.get(call.id);
  if (image.type === "system") throw invalid("id", "system images cannot be changed");
  const body = read(call, updateBody);
  checkLabels(body.labels ?? {});
  image.description = body.description ?? image.description;
  image.type = body.type ?? image.type;
  image.labels = body.labels ?? image.labels;
  relabel(call.world, image);
  return ok({ image: imageView(image) });
}

function remove({ world, id }: Call): Reply {
  const image = world.images.unprotected(id);
  if (image.type === "system") throw invalid("id", "system images cannot be deleted");
  world.images.remove(id);
  return noContent;
}

function changeProtection(call: Call): Reply {
  const image = call.world.images.get(call.id);
  const body = read(call, z.object({ delete: z.boolean() }));
  const action = call.world.actions.start({
    command: "change_protection",
    resources: [{ id: image.id, type: "image" }],
    finish: () => {
      image.protection.delete = body.delete;
    },
  });
  return created({ action });
}

export const imageRoutes: readonly Route[] = [
  ["GET /images", ({ world, query }) => ok(page("images", world.images.all().map(imageView), query))],
  ["GET /images/:id", ({ world, id }) => ok({ image: imageView(world.images.get(id)) })],
  ["PUT /images/:id", update],
  ["DELETE /images/:id", remove],
  ["POST /images/:id/actions/change_protection", changeProtection],
];
