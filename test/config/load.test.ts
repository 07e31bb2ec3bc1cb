import * as pulumi from "@pulumi/pulumi";

import { loadPlan } from "../../config/load";
import { valid } from "./fixtures";
import type { Raw } from "./fixtures";

const token = "t".repeat(64);
const environment = process.env["HCLOUD_TOKEN"];

afterEach(() => {
  if (environment === undefined) delete process.env["HCLOUD_TOKEN"];
  else process.env["HCLOUD_TOKEN"] = environment;
});

/** Sets the stack as Pulumi would: objects as JSON texts, in a preview or in an `up`. */
function given(
  keys: Raw,
  { preview = true, others = {} }: { preview?: boolean; others?: Record<string, string> } = {},
) {
  delete process.env["HCLOUD_TOKEN"];
  const mocks: pulumi.runtime.Mocks = {
    newResource: () => ({ id: "", state: {} }),
    call: () => ({}),
  };
  void pulumi.runtime.setMocks(mocks, "talos-fleet", "some", preview);
  const entries = Object.entries(keys).map(([key, value]) => [
    `talos-fleet:${key}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  pulumi.runtime.setAllConfig({ ...(Object.fromEntries(entries) as Record<string, string>), ...others });
}

const load = () => loadPlan();

test("the plan of the stack's keys, named after the stack", () => {
  given(valid("lab"));
  const { plan } = load();

  expect(plan.name).toBe("some");
  expect(plan.nodes.map(({ name }) => name)).toEqual(["some-controlplane-1", "some-worker-1"]);
});

test("a pair that is not tested is taken, with a word in the log", () => {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  given({ ...valid("lab"), kubernetesVersion: "1.36.99" });

  expect(load().plan.versions.kubernetes).toBe("1.36.99");
  expect(warn.mock.calls.map(([text]) => text)).toEqual([
    expect.stringMatching(/^talosVersion and kubernetesVersion: .*: not among the tested pairs/),
  ]);
  warn.mockRestore();
});

test("an unknown key of the namespace is refused, keys of others are not looked at", () => {
  given({ ...valid("lab"), platfrom: "docker" }, { others: { "docker:host": "x", "hcloud:whatever": "y" } });

  expect(load).toThrow(/has 1 fault[^]*platfrom: .*did you mean platform\?/);
});

test("a preview of the fleet needs no token", () => {
  given(valid("fleet"));

  expect(load().credentials.hetzner).toEqual({});
});

test("`up` without a token names the key", () => {
  given(valid("fleet"), { preview: false });

  expect(load).toThrow(/hcloud:token: \(not set\): .*HCLOUD_TOKEN/);
});

test.each([
  ["configuration", { others: { "hcloud:token": token } }, undefined],
  ["environment", {}, token],
])("a token of the %s is secret", async (_case, options, inEnvironment) => {
  given(valid("fleet"), { preview: false, ...options });
  if (inEnvironment !== undefined) process.env["HCLOUD_TOKEN"] = inEnvironment;
  const output = load().credentials.hetzner.token;

  expect(output).toBeDefined();
  expect(await pulumi.isSecret(pulumi.output(output))).toBe(true);
});

test("a token cut short is refused without being shown", () => {
  given(valid("fleet"), { others: { "hcloud:token": "sesame" } });

  expect(load).toThrow(/hcloud:token: \(value not shown\): has 6 characters/);
  expect(load).not.toThrow(/sesame/);
});

test("a key in a misspelt namespace is refused, one of a provider is not", () => {
  given(valid("lab"), { others: { "talos-flet:workers": "[]", "docker:host": "unix:///x" } });

  expect(load).toThrow(
    /1 fault;.*\ntalos-flet:workers: \(value not shown\): is not in the namespace talos-fleet/,
  );
});

test("a rehearsal's endpoint and poll interval are handed on", () => {
  given(valid("fleet"), {
    others: { "hcloud:endpoint": "http://127.0.0.1:1/v1", "hcloud:pollInterval": "20ms" },
  });

  expect(load().credentials.hetzner).toEqual({ endpoint: "http://127.0.0.1:1/v1", pollInterval: "20ms" });
});
