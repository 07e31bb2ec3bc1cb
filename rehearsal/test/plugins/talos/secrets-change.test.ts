import { talosPlugin } from "../../../plugins/talos";
import type { Props } from "../../../plugins/framework/types";
import { plainProps, record } from "../../../plugins/framework/values";
import { describeWithTalosctl, secretsRequest, secretsType } from "./tools";

// talosctl makes keys: seconds on a busy machine.
jest.setTimeout(60_000);

describeWithTalosctl("secrets that change", (talosctl) => {
  const plugin = talosPlugin({ talosctl, simnode: "/nonexistent" });
  let secrets: Props;
  const request = () => ({
    ...secretsRequest,
    id: "machine_secrets",
    olds: secrets,
    oldInputs: {},
    ignoreChanges: [],
  });

  beforeAll(async () => {
    const inputs = { talosVersion: "v1.13" };
    const made = await plugin.resources[secretsType]!.create({ ...secretsRequest, inputs });
    secrets = plainProps(made.state);
  });

  test("a lower contract replaces, a higher one does not and keeps the secrets", async () => {
    const resource = plugin.resources[secretsType]!;
    const common = request();
    const lower = await resource.diff({ ...common, news: { talosVersion: "v1.12" } });
    expect(lower.replaces).toEqual(["talosVersion"]);
    const higher = await resource.diff({ ...common, news: { talosVersion: "v1.14" } });
    expect(higher.replaces).toEqual([]);
    expect(higher.diffs).toEqual(["clientConfiguration", "machineSecrets", "talosVersion"]);
    const { state } = await resource.update({ ...common, inputs: { talosVersion: "v1.14" } });
    expect(plainProps(state)).toEqual({ ...secrets, talosVersion: "v1.14" });
  });

  test("a client certificate with less than a month left is made anew by the same CA", async () => {
    const later = () => new Date(Date.now() + 350 * 86_400_000);
    const resource = talosPlugin({ talosctl, simnode: "/nonexistent", now: later }).resources[secretsType]!;
    const common = request();
    const diff = await resource.diff({ ...common, news: { talosVersion: "v1.13" } });
    expect(diff.diffs).toEqual(["clientConfiguration"]);
    const { state } = await resource.update({ ...common, inputs: { talosVersion: "v1.13" } });
    const [before, after] = [
      record(secrets, "clientConfiguration"),
      record(plainProps(state), "clientConfiguration"),
    ];
    expect(after["caCertificate"]).toBe(before["caCertificate"]);
    expect(after["clientCertificate"]).not.toBe(before["clientCertificate"]);
    expect(plainProps(state)["machineSecrets"]).toEqual(secrets["machineSecrets"]);
  });
});
