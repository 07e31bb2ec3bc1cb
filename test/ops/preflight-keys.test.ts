import { otherKeys } from "../../ops/preflight/stack-keys";

test.each<[string, string, Record<string, string>, object]>([
  ["none", "config:\n  a: b\n", {}, { tokenPresent: false }],
  ["plain", "config:\n  hcloud:token: abc # mine\n", {}, { tokenPresent: true, token: "abc" }],
  ["quoted", "config:\n  'hcloud:token': \"abc\"\n", {}, { tokenPresent: true, token: "abc" }],
  [
    "encrypted",
    "config:\n  hcloud:token:\n    secure: v1:x\n",
    { HCLOUD_TOKEN: "env" },
    { tokenPresent: true },
  ],
  ["of the environment", "config: {}\n", { HCLOUD_TOKEN: "env" }, { tokenPresent: true, token: "env" }],
  ["an empty variable", "config: {}\n", { HCLOUD_TOKEN: "" }, { tokenPresent: false }],
  [
    "only in a second document",
    "config: {}\n---\nconfig:\n  hcloud:token: abc\n",
    {},
    { tokenPresent: false },
  ],
  [
    "an endpoint",
    "---\nconfig:\n  hcloud:endpoint: http://127.0.0.1:1\n",
    {},
    { tokenPresent: false, endpoint: "http://127.0.0.1:1" },
  ],
])("a token: %s", (...[, text, env, expected]) => {
  expect(otherKeys(text, env)).toEqual({ token: undefined, endpoint: undefined, ...expected });
});
