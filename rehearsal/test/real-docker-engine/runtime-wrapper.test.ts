import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runtimeWrapper } from "../../real-docker-engine/runtime-wrapper";

let dir: string;
let wrapper: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tf-runtime-"));
  const runc = join(dir, "runc");
  writeFileSync(runc, '#!/bin/sh\necho "$@"\n');
  wrapper = join(dir, "wrapper");
  writeFileSync(wrapper, runtimeWrapper(runc));
  for (const file of [runc, wrapper]) chmodSync(file, 0o755);
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

const run = (...args: string[]): string => execFileSync(wrapper, args, { encoding: "utf8" }).trim();
const written = (name: string): unknown => JSON.parse(readFileSync(join(dir, name), "utf8"));

test("a bundle loses the capability wherever it stands in a list, and a negative OOM score", () => {
  const lists = [["CAP_SYS_RESOURCE"], ["CAP_SYS_RESOURCE", "CAP_A"], ["CAP_A", "CAP_SYS_RESOURCE"]];
  writeFileSync(join(dir, "config.json"), JSON.stringify({ lists, oomScoreAdj: -500, env: ["A=[1,]"] }));
  expect(run("--log", "x", "create", "--bundle", dir, "id")).toBe(`--log x create --bundle ${dir} id`);
  expect(written("config.json")).toEqual({
    lists: [[], ["CAP_A"], ["CAP_A"]],
    oomScoreAdj: 0,
    env: ["A=[1,]"],
  });
});

test("so does the process of an exec", () => {
  writeFileSync(join(dir, "process.json"), JSON.stringify({ bounding: ["CAP_SYS_RESOURCE"] }));
  run("exec", "--process", join(dir, "process.json"), "id");
  expect(written("process.json")).toEqual({ bounding: [] });
});

test("calls without a bundle pass through", () => {
  expect(run("state", "id")).toBe("state id");
});
