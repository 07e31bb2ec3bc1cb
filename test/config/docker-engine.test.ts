import { findEngine } from "../../config/docker-engine";
import type { EngineSources } from "../../config/docker-engine";

const find = (files: Readonly<Record<string, string>>, env: EngineSources["env"] = {}) =>
  findEngine({ env, home: "/home/me", readText: (file) => files[file] });

test.each([
  ["no JSON", '{"auths": {"x": {"auth": "sesame"'],
  ["another kind of value", '{"currentContext": ["sesame"]}'],
])("a broken config.json is named and not shown: %s", (_case, text) => {
  const broken = () => find({ "/home/me/.docker/config.json": text });

  expect(broken).toThrow(
    /\/home\/me\/\.docker\/config\.json: \(value not shown\): is not the JSON that Docker's/,
  );
  expect(broken).not.toThrow(/sesame/);
});

test("DOCKER_HOST is judged as docker.host is, and a password in it is not shown", () => {
  expect(() => find({}, { DOCKER_HOST: "http://[bad" })).toThrow(
    /DOCKER_HOST: .*: is not an engine's address/,
  );
  expect(() => find({}, { DOCKER_HOST: "tcp://me:sesame@h:1" })).toThrow(
    /DOCKER_HOST: \(value not shown\): holds/,
  );
});
