import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import axios from "axios";

import * as parts from "../../../factory/write-tree";
import { requireSchematic } from "../../../factory/resolve";
import type { Dialect } from "../../../factory/types";
import { registerSchematic } from "../../../ops/register-schematic/run";
import { type Factory, startFactory } from "../../image-factory";
import vectors from "../../image-factory/recorded.json";

// Replaced in one test by a writer that is wrong.
jest.mock("../../../factory/write-tree", () => ({
  __esModule: true,
  ...jest.requireActual<typeof parts>("../../../factory/write-tree"),
}));

const checkout = resolve(__dirname, "../../..");
const read = (file: string): string => readFileSync(join(checkout, file), "utf8");
const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

let factory: Factory;
const others: Factory[] = [];
beforeEach(async () => {
  factory = await startFactory();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all([factory, ...others.splice(0)].map((one) => one.stop()));
});

const post = async (text: string, url = factory.url) =>
  axios.post<{ id: string; schematic: string }>(`${url}/schematics`, text, {
    validateStatus: () => true,
    proxy: false,
  });

/** Every text that our code would write now reads differently, and no less valid. */
function breakTheWriter(): jest.SpyInstance {
  const right = parts.writeTree;
  return jest
    .spyOn(parts, "writeTree")
    .mockImplementation((tree, dialect) => right(tree, dialect).replaceAll(/^( +)/gm, "$1$1"));
}

describe("the record", () => {
  const ids = read("factory/testdata/schematics/ids.tsv")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split("\t") as [string, string]);

  test("holds every schematic whose id is known, and each text proves its id", () => {
    const listed = new Map(vectors.map(({ source, id }) => [source, id]));
    for (const [file, id] of ids)
      expect([file, listed.get(`factory/testdata/schematics/${file}`)]).toEqual([file, id]);
    expect(listed.has("factory/schematic.yaml")).toBe(true);
    for (const { id, text } of vectors) expect(sha256(text)).toBe(id);
  });

  test.each(vectors.map(({ source, id }) => [source, id]))(
    "answers %s without our code",
    async (source, id) => {
      const writer = jest.spyOn(parts, "writeTree");
      const answer = await post(read(source));
      expect(answer.data.id).toBe(id);
      expect(answer.headers["x-rehearsal"]).toMatch(/^recorded: factory\//);
      expect(writer).not.toHaveBeenCalled();
    },
  );

  test.each<Dialect>(["D1", "D2", "D3", "D4", "D5"])(
    "answers the golden inputs in %s as the library did",
    async (dialect) => {
      const other = await startFactory({ dialect });
      others.push(other);
      breakTheWriter();
      const lines = read("factory/testdata/golden.jsonl").trim().split("\n");
      let seen = 0;
      for (const line of lines.map(
        (text) =>
          JSON.parse(text) as {
            in: string;
            out: { dialects: Dialect[]; text: string }[];
            refused: Dialect[];
          },
      )) {
        const text = line.out.find(({ dialects }) => dialects.includes(dialect))?.text;
        if (text?.startsWith("owner:") === true) continue;
        const answer = await post(line.in, other.url);
        if (line.refused.includes(dialect)) expect([line.in, answer.status]).toEqual([line.in, 400]);
        if (text !== undefined) expect([line.in, answer.data.id]).toEqual([line.in, sha256(text)]);
        seen += 1;
      }
      expect(seen).toBeGreaterThan(150);
    },
  );
});

test("a wrong writer in factory/ is contradicted: the program refuses to go on", async () => {
  breakTheWriter();
  const { id, text } = requireSchematic(read("factory/schematic.yaml"), "factory/schematic.yaml");
  expect(id).not.toBe(vectors[0]?.id);
  await expect(registerSchematic({ factoryUrl: factory.url, id, text })).rejects.toThrow(
    `schematic: ${vectors[0]?.id ?? ""}: the factory at ${factory.url}`,
  );
});

test("what nobody has recorded is our own code's answer, and says so", async () => {
  const answer = await post("customization: {extraKernelArgs: [never-recorded]}");
  expect(answer.status).toBe(201);
  const origin = "computed by this checkout's own factory code";
  expect(answer.headers["x-rehearsal"]).toBe(origin);
  expect(factory.origins).toEqual([`schematic ${answer.data.id}: ${origin}`]);
});
