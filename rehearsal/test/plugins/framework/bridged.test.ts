import { bridgedResource, type ResourceSchema } from "../../../plugins/framework/bridged";
import { PartialFailure } from "../../../plugins/framework/errors";
import type { Props, ResourceStandIn } from "../../../plugins/framework/types";
import { unknown } from "../../../plugins/framework/values";

const schema: ResourceSchema = {
  kind: "sdk",
  autonamed: "name",
  properties: {
    name: { type: "string", required: true },
    zoneId: { type: "number", required: true, forceNew: true },
    mode: { type: "string", default: "bridge" },
    driver: { type: "string", computed: "optional" },
    labels: { type: "map" },
    tags: { type: "set" },
    mounts: {
      type: "set",
      fields: { target: { type: "string", required: true }, source: { type: "string" } },
    },
    address: { type: "string", computed: "output" },
  },
};

const operations = {
  create: async () => ({ id: "7", state: { address: "10.0.0.7", driver: "local", labels: {} } }),
  read: async () => undefined,
  update: async () => ({ state: {} }),
  delete: async () => undefined,
};

const resource: ResourceStandIn = bridgedResource(schema, operations);
const urn = "urn:pulumi:s::p::x:index:Thing::t";
const quiet = { signal: new AbortController().signal, log: () => undefined };

const check = (news: Props, olds: Props = {}) =>
  resource.check({ urn, name: "t", news, olds, randomSeed: "c2VlZA==" });
const diff = (olds: Props, news: Props, ignoreChanges: string[] = []) =>
  resource.diff({ urn, id: "7", olds, news, oldInputs: {}, ignoreChanges, log: () => undefined });
const create = (inputs: Props, preview: boolean) =>
  resource.create({ urn, name: "t", inputs, preview, ...quiet });

test("Check names what is missing, unknown or not an input", async () => {
  const { failures } = await check({ name: "t", adress: "x", address: "y", mounts: [{ source: "a" }] });
  expect(failures.map(({ reason }) => reason)).toEqual([
    `Missing required argument. The argument "zone_id" is required, but no definition was found.. Examine values at 't.zoneId'.`,
    "Invalid or unknown key. Examine values at 't.adress'.",
    "Invalid or unknown key. Examine values at 't.address'.",
    `Missing required argument. The argument "target" is required, but no definition was found.. Examine values at 't.mounts[0].target'.`,
  ]);
});

test("Check gives a name once and keeps it, fills defaults and sets types right", async () => {
  const { inputs } = await check({ zoneId: "12" });
  expect(inputs).toMatchObject({
    name: expect.stringMatching(/^t-[0-9a-f]{7}$/) as string,
    zoneId: 12,
    mode: "bridge",
  });
  const again = await resource.check({
    urn,
    name: "t",
    news: { zoneId: 12 },
    olds: inputs,
    randomSeed: "b3RoZXI=",
  });
  expect(again.inputs["name"]).toBe(inputs["name"]);
});

test("a preview shows inputs and defaults, sets sorted, and unknown what the provider fills in", async () => {
  const { state } = await create(
    { name: "t", zoneId: unknown, tags: ["b", "a"], mounts: [{ target: "/x" }] },
    true,
  );
  expect(state).toEqual({
    id: unknown,
    name: "t",
    zoneId: unknown,
    mode: "bridge",
    driver: unknown,
    labels: null,
    tags: ["a", "b"],
    mounts: [{ target: "/x", source: "" }],
    address: unknown,
  });
});

test("a create keeps null where nothing was given and an empty map was read", async () => {
  const { id, state } = await create({ name: "t", zoneId: 1 }, false);
  expect(id).toBe("7");
  expect(state).toMatchObject({ id: "7", labels: null, address: "10.0.0.7", driver: "local" });
});

const state = {
  name: "t",
  zoneId: 1,
  mode: "bridge",
  driver: "local",
  labels: { a: "1" },
  tags: ["a", "b"],
  mounts: [],
  address: "10.0.0.7",
};
const inputs = { name: "t", zoneId: 1, mode: "bridge", labels: { a: "1" }, tags: ["b", "a"] };

test("the order of a set and what the provider filled in are no difference", async () => {
  expect(await diff(state, inputs)).toMatchObject({
    changes: "DIFF_NONE",
    detailedDiff: {},
    stables: ["zoneId"],
  });
});

const changes: [string, Props, Record<string, { kind: string }>][] = [
  ["an added label", { labels: { a: "1", b: "2" } }, { "labels.b": { kind: "ADD" } }],
  ["a key that is no plain name", { labels: { a: "1", "b/c": "2" } }, { 'labels["b/c"]': { kind: "ADD" } }],
  ["all labels removed", { labels: null }, { labels: { kind: "DELETE" } }],
  ["an element of a set", { tags: ["a", "c"] }, { "tags[1]": { kind: "UPDATE" } }],
  ["a first block", { mounts: [{ target: "/x" }] }, { mounts: { kind: "ADD" } }],
  ["an unknown that replaces", { zoneId: unknown }, { zoneId: { kind: "UPDATE_REPLACE" } }],
  ["back to the default", { mode: "host" }, { mode: { kind: "UPDATE" } }],
];

test.each(changes)("%s", async (_title, change, detailedDiff) => {
  const answer = await diff(state, { ...inputs, ...change });
  expect(answer).toMatchObject({ changes: "DIFF_SOME", detailedDiff });
});

test("an ignored change is none, and a given name that stays is deleted before it is made again", async () => {
  expect(await diff(state, { ...inputs, zoneId: 2 }, ["zoneId"])).toMatchObject({ changes: "DIFF_NONE" });
  expect(await diff(state, { ...inputs, zoneId: 2 })).toMatchObject({
    replaces: ["zoneId"],
    deleteBeforeReplace: true,
  });
  expect(await diff(state, { ...inputs, zoneId: 2, name: "u" })).toMatchObject({
    deleteBeforeReplace: false,
  });
});

test("failures have the bridge's words, and name a resource that exists already", async () => {
  const fails = (error: Error) =>
    bridgedResource(schema, { ...operations, create: () => Promise.reject(error) }).create({
      urn,
      name: "t",
      inputs,
      preview: false,
      ...quiet,
    });
  await expect(fails(new Error("no room"))).rejects.toThrow("1 error occurred:\n\t* no room\n\n");
  const partial = await fails(new PartialFailure("no power", { id: "9", state: {} })).catch(
    (error: unknown) => error,
  );
  expect(partial).toMatchObject({
    id: "9",
    message: `creating ${urn}: 1 error occurred:\n\t* no power\n\n`,
    state: { id: "9", name: "t" },
  });
});
