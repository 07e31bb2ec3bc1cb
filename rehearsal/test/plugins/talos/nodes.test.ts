import { X509Certificate } from "node:crypto";
import { rootCertificates } from "node:tls";
import { talosPlugin } from "../../../plugins/talos";
import type { Props } from "../../../plugins/framework/types";
import { plainProps } from "../../../plugins/framework/values";
import { fakeSimnode, refusal, type FakeAnswer } from "./fake-simnode";

const bootstrap = "talos:machine/bootstrap:Bootstrap";
const apply = "talos:machine/configurationApply:ConfigurationApply";
const clientConfiguration = { caCertificate: "ca", clientCertificate: "cert", clientKey: "key" };
const inputs = { node: "10.5.0.2", endpoint: "127.0.0.1:50000", clientConfiguration };
const config = { ...inputs, machineConfigurationInput: "version: v1alpha1\n" };

const request = (given: Props, more: { signal?: AbortSignal; preview?: boolean } = {}) => ({
  urn: "urn:pulumi:t::t::x::n",
  name: "n",
  preview: false,
  signal: new AbortController().signal,
  log: () => undefined,
  inputs: given,
  ...more,
});

let fake: ReturnType<typeof fakeSimnode>;
const start = (...answers: FakeAnswer[]) => {
  fake = fakeSimnode(answers);
  return talosPlugin({ talosctl: "/nonexistent", simnode: fake.program }).resources;
};
afterEach(() => fake.remove());

describe("the provider's way to try", () => {
  test("what is not InvalidArgument is tried again, and the node gets the config and the mode", async () => {
    const resources = start(refusal("Unavailable", "connection refused"), { ok: true });
    const made = await resources[apply]!.create(request({ ...config, applyMode: "no_reboot" }));
    expect(made.id).toBe("machine_configuration_apply");
    const asked = {
      op: "apply",
      node: "10.5.0.2",
      endpoint: "127.0.0.1:50000",
      clientConfiguration,
      config: "version: v1alpha1\n",
      mode: "no_reboot",
    };
    expect(fake.requests()).toEqual([asked, asked]);
  });

  test("InvalidArgument ends it at once", async () => {
    const resources = start(refusal("InvalidArgument", "cluster instructions are required"));
    await expect(resources[apply]!.create(request(config))).rejects.toThrow(
      new Error(
        "Error applying configuration: rpc error: code = InvalidArgument desc = cluster instructions are required",
      ),
    );
    expect(fake.requests()).toHaveLength(1);
  });

  test("an etcd that exists is tried until the time-out, then it is the error", async () => {
    const resources = start(refusal("AlreadyExists", "etcd data directory is not empty"));
    const began = Date.now();
    await expect(
      resources[bootstrap]!.create(request({ ...inputs, timeouts: { create: "3s" } })),
    ).rejects.toThrow(
      new Error(
        "Error bootstrapping node: rpc error: code = AlreadyExists desc = etcd data directory is not empty",
      ),
    );
    expect(Date.now() - began).toBeGreaterThanOrEqual(2990);
    expect(fake.requests().length).toBeGreaterThan(1);
  });

  test("a call that hangs is cut off at the time-out", async () => {
    const resources = start({ ok: true, after: 60_000 });
    await expect(
      resources[bootstrap]!.create(request({ ...inputs, timeouts: { create: "500ms" } })),
    ).rejects.toThrow("timeout while waiting for state to become 'success' (timeout: 0.5s)");
  });

  test("Pulumi's cancel ends it", async () => {
    const resources = start(refusal("Unavailable", "connection refused"));
    const cancel = new AbortController();
    const work = resources[bootstrap]!.create(request(inputs, { signal: cancel.signal }));
    setTimeout(() => cancel.abort(), 300);
    await expect(work).rejects.toThrow("Error bootstrapping node: context canceled");
  });

  test("without an endpoint the node's own address is dialled", async () => {
    const resources = start({ ok: true });
    const { state } = await resources[bootstrap]!.create(request({ node: "10.5.0.2", clientConfiguration }));
    expect(plainProps(state)["endpoint"]).toBe("10.5.0.2");
    expect(fake.requests()[0]).toMatchObject({ op: "bootstrap", endpoint: "10.5.0.2", node: "10.5.0.2" });
  });

  test("half given time-outs fail after the node has taken the config", async () => {
    const resources = start({ ok: true });
    await expect(
      resources[apply]!.create(request({ ...config, timeouts: { create: "1m" } })),
    ).rejects.toThrow("recovered raw state does not byte-for-byte match the original raw state");
    expect(fake.requests()).toHaveLength(1);
  });

  test("a preview asks nobody", async () => {
    const resources = start({ ok: true });
    await resources[apply]!.create(request(config, { preview: true }));
    await resources[bootstrap]!.create(request(inputs, { preview: true }));
    expect(fake.requests()).toEqual([]);
  });

  test("an update of Bootstrap sends nothing and keeps the new node", async () => {
    const resources = start({ ok: true });
    const { state } = await resources[bootstrap]!.update({
      ...request({ ...inputs, node: "10.5.0.3" }),
      id: "machine_bootstrap",
      olds: inputs,
      oldInputs: inputs,
      ignoreChanges: [],
    });
    expect(plainProps(state)).toMatchObject({ node: "10.5.0.3", id: "machine_bootstrap" });
    expect(fake.requests()).toEqual([]);
  });

  test.each([
    ["reboot", "staged"],
    ["no_reboot", "auto"],
  ])("staged_if_needing_reboot asks the node: %s makes it %s", async (mode, resolved) => {
    const resources = start({ ok: true, result: { mode } });
    const { state } = await resources[apply]!.create(
      request({ ...config, applyMode: "staged_if_needing_reboot" }),
    );
    expect(plainProps(state)["resolvedApplyMode"]).toBe(resolved);
    const modes = fake.requests().map((asked) => [asked["mode"], asked["dryRun"]]);
    expect(modes).toEqual([
      ["auto", true],
      [resolved, undefined],
    ]);
  });
});

describe("Kubeconfig", () => {
  const type = "talos:cluster/kubeconfig:Kubeconfig";
  const base64 = (words: string) => Buffer.from(words).toString("base64");
  const kubeconfig = (name: string) =>
    JSON.stringify({
      "current-context": "admin@lab",
      contexts: [{ name: "admin@lab", context: { cluster: "lab", user: "admin@lab" } }],
      clusters: [
        {
          name: "lab",
          cluster: { server: "https://10.5.0.2:6443", "certificate-authority-data": base64("ca") },
        },
      ],
      users: [
        {
          name: "admin@lab",
          user: { "client-certificate-data": base64(rootCertificates[0]!), "client-key-data": base64(name) },
        },
      ],
    });
  const expiry = new Date(new X509Certificate(rootCertificates[0]!).validTo).getTime();
  const hours = (count: number) => count * 3_600_000;
  const at = (time: number) =>
    talosPlugin({ talosctl: "/nonexistent", simnode: fake.program, now: () => new Date(time) }).resources[
      type
    ]!;
  const common = { id: "lab", oldInputs: inputs, ignoreChanges: [] };

  test("its parts, and its cluster's name as id", async () => {
    start({ ok: true, result: { kubeconfig: kubeconfig("first") } });
    const made = await at(expiry - hours(1000)).create(request(inputs));
    expect(made.id).toBe("lab");
    expect(plainProps(made.state)).toEqual({
      ...inputs,
      id: "lab",
      certificateRenewalDuration: "720h",
      kubeconfigRaw: kubeconfig("first"),
      kubernetesClientConfiguration: {
        host: "https://10.5.0.2:6443",
        caCertificate: base64("ca"),
        clientCertificate: base64(rootCertificates[0]!),
        clientKey: base64("first"),
      },
    });
  });

  test.each([
    [721, "720h", []],
    [719, "720h", ["kubeconfigRaw", "kubernetesClientConfiguration"]],
    [721, "2160h", ["certificateRenewalDuration", "kubeconfigRaw", "kubernetesClientConfiguration"]],
  ])("%d hours before its end, renewed %s before it, %j change", async (left, duration, diffs) => {
    start(
      { ok: true, result: { kubeconfig: kubeconfig("first") } },
      { ok: true, result: { kubeconfig: kubeconfig("second") } },
    );
    const { state } = await at(0).create(request(inputs));
    const olds = plainProps(state);
    const news = { ...inputs, certificateRenewalDuration: duration };
    const resource = at(expiry - hours(left));
    const diff = await resource.diff({ ...request(news), ...common, olds, news });
    expect(diff.diffs).toEqual(diffs);
    const updated = await resource.update({ ...request(news), ...common, olds });
    const renewed = diffs.includes("kubeconfigRaw");
    expect(plainProps(updated.state)["kubeconfigRaw"]).toBe(kubeconfig(renewed ? "second" : "first"));
    expect(fake.requests()).toHaveLength(renewed ? 2 : 1);
  });

  test("a changed endpoint does not fetch it again", async () => {
    start(
      { ok: true, result: { kubeconfig: kubeconfig("first") } },
      { ok: true, result: { kubeconfig: kubeconfig("second") } },
    );
    const { state } = await at(0).create(request(inputs));
    const news = { ...inputs, endpoint: "127.0.0.1:50009" };
    const updated = await at(0).update({ ...request(news), ...common, olds: plainProps(state) });
    expect(plainProps(updated.state)).toMatchObject({
      endpoint: "127.0.0.1:50009",
      kubeconfigRaw: kubeconfig("first"),
    });
  });
});

describe("checks", () => {
  test("neither or both of a config and its write-only twin", async () => {
    const resources = start({ ok: true });
    const check = async (news: Props) =>
      (await resources[apply]!.check({ urn: "", name: "n", news, olds: {}, randomSeed: "" })).failures;
    expect((await check(inputs)).map(({ reason }) => reason)).toEqual([
      "Missing machine configuration input. Exactly one of machine_configuration_input or machine_configuration_input_wo must be set",
    ]);
    expect(await check({ ...config, machineConfigurationInputWo: "x" })).toHaveLength(1);
    expect(await check(config)).toEqual([]);
    expect((await check({ ...config, applyMode: "try" }))[0]!.reason).toContain(
      'value must be one of: ["auto" "reboot" "no_reboot" "staged" "staged_if_needing_reboot"], got: "try"',
    );
    const without = { clientConfiguration, machineConfigurationInput: "version: v1alpha1\n" };
    expect((await check(without))[0]!.reason).toContain('The argument "node" is required');
  });
});
