import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createHash, X509Certificate } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { talosPlugin } from "../../../plugins/talos";
import type { Props } from "../../../plugins/framework/types";
import { plainProps, propsFromWire, record, text, type JsonObject } from "../../../plugins/framework/values";
import { runProgram } from "../../../plugins/talos/program";
import { readRecordings } from "../../support/recordings";
import { describeWithTalosctl, secretsRequest, secretsType } from "./tools";

// talosctl makes keys: seconds on a busy machine.
jest.setTimeout(60_000);

/** The object under a key of a recorded message. */
const propsAt = (message: JsonObject, key: string): Props =>
  propsFromWire((message[key] ?? {}) as JsonObject);

const getConfiguration = "talos:machine/getConfiguration:getConfiguration";

describeWithTalosctl("generates with talosctl", (talosctl) => {
  const plugin = talosPlugin({ talosctl, simnode: "/nonexistent" });
  const invoke = (args: Props) => plugin.functions[getConfiguration]!(args, false);
  let secrets: Props;
  let base: Props;

  beforeAll(async () => {
    const made = await plugin.resources[secretsType]!.create({
      ...secretsRequest,
      inputs: { talosVersion: "v1.13" },
    });
    secrets = plainProps(made.state);
    base = {
      clusterName: "c",
      clusterEndpoint: "https://10.5.0.2:6443",
      machineType: "controlplane",
      machineSecrets: secrets["machineSecrets"]!,
    };
  });

  test("the client certificate is an admin's, of the secrets' CA, for a year", () => {
    const client = record(secrets, "clientConfiguration");
    const certificate = new X509Certificate(Buffer.from(text(client, "clientCertificate")!, "base64"));
    const os = record(record(record(secrets, "machineSecrets"), "certs"), "os");
    const ca = new X509Certificate(Buffer.from(text(os, "cert")!, "base64"));
    expect(certificate.verify(ca.publicKey)).toBe(true);
    expect(certificate.subject).toBe("O=os:admin");
    const days = (Date.parse(certificate.validTo) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    expect(text(client, "caCertificate")).toBe(text(os, "cert"));
  });

  const recorded = readRecordings("talos", /machine\/getConfiguration/);

  /** A text's length, which recorded answers give instead of the text. Certificates differ by a few bytes each time. */
  const lengthOf = (value: string): number => Number(/^<(\d+) characters>$/.exec(value)?.[1] ?? value.length);
  const lengths = (machineSecrets: Props): number[] =>
    ["etcd", "k8s", "k8sAggregator", "k8sServiceaccount", "os"].flatMap((name) => {
      const pair = record(record(machineSecrets, "certs"), name);
      return [text(pair, "cert") ?? "", text(pair, "key") ?? ""].map(lengthOf);
    });
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
  const workerParts = new Set([2, 8]);

  test.each(recorded.map((entry) => [text(propsAt(entry.request, "args"), "machineType")!, entry] as const))(
    "a %s's config is as long as the real plugin's",
    async (type, entry) => {
      const args = propsAt(entry.request, "args");
      const answer = await invoke({ ...args, machineSecrets: secrets["machineSecrets"]! });
      const wanted = propsAt(entry.response!, "return");
      const inConfig = (numbers: number[]) =>
        sum(type === "worker" ? numbers.filter((_, index) => workerParts.has(index)) : numbers);
      const theirs = inConfig(lengths(record(args, "machineSecrets")));
      const ours = inConfig(lengths(record(secrets, "machineSecrets")));
      const length = lengthOf(text(wanted, "machineConfiguration")!);
      expect(text(answer, "machineConfiguration")!.length - ours).toBe(length - theirs);
      expect(Object.keys(answer).sort()).toEqual(Object.keys(wanted).sort());
      expect(answer["id"]).toBe(wanted["id"]);
    },
  );

  test("what the plugin takes when nothing is given", async () => {
    const [main, hostname, ...rest] = parseAllDocuments(
      text(await invoke(base), "machineConfiguration")!,
    ).map((document) => document.toJS() as Props);
    expect(record(record(main!, "machine"), "install")).toMatchObject({
      disk: "/dev/sda",
      image: "ghcr.io/siderolabs/installer:v1.13.0",
    });
    expect(record(record(main!, "machine"), "kubelet")["image"]).toBe("ghcr.io/siderolabs/kubelet:v1.36.0");
    expect(hostname).toEqual({ apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable" });
    expect(rest).toEqual([]);
  });

  test("patches are merged in their order, as text or from a file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "patch-test-"));
    const file = join(folder, "p.yaml");
    writeFileSync(file, "machine: { sysctls: { a: file } }\n");
    const patched = await invoke({
      ...base,
      configPatches: [
        '{"machine":{"sysctls":{"a":"text","b":"text"}}}',
        file,
        "machine: { sysctls: { c: last } }",
      ],
    });
    rmSync(folder, { recursive: true });
    const [main] = parseAllDocuments(text(patched, "machineConfiguration")!);
    expect((main!.toJS() as Props)["machine"]).toHaveProperty("sysctls", {
      a: "file",
      b: "text",
      c: "last",
    });
  });

  test.each([
    ["nothing", "", "config_patches are invalid: open : no such file or directory"],
    ["a name", "no-such-file", "config_patches are invalid: open no-such-file: no such file or directory"],
    ["an unknown key", '{"machine":{"nonsense":1}}', /^config_patches are invalid: .*unknown keys found/s],
  ])("%s as a patch is refused", async (_, patch, message) => {
    await expect(invoke({ ...base, configPatches: [patch] })).rejects.toThrow(message);
  });

  test.each(["talos-endpoint-not-url", "talos-json-patch"])(
    "%s fails with the recorded text",
    async (name) => {
      const entry = readRecordings("errors", new RegExp(`^${name}$`))[0]!;
      const args = { ...propsAt(entry.request, "args"), machineSecrets: secrets["machineSecrets"]! };
      const wanted = entry.errors![0]!.replace("rpc error: code = Unknown desc = ", "");
      await expect(invoke(args)).rejects.toThrow(new Error(wanted));
    },
  );

  test.each([
    ["10.5.0.2", 'no scheme and port specified for the cluster endpoint URL\ntry: "https://10.5.0.2:6443"'],
    [
      "http://10.5.0.2:6443",
      'the control plane endpoint URL should have scheme https://\ntry: "https://10.5.0.2:6443"',
    ],
  ])("the endpoint %s is refused", async (clusterEndpoint, message) => {
    await expect(invoke({ ...base, clusterEndpoint })).rejects.toThrow(
      new Error(`cluster_endpoint is invalid: ${message}`),
    );
  });

  test("a talosconfig is what talosctl itself writes", async () => {
    const client = record(secrets, "clientConfiguration");
    const make = (more: Props) =>
      plugin.functions["talos:client/getConfiguration:getConfiguration"]!(
        { clusterName: "c", clientConfiguration: client, ...more },
        false,
      );
    const ours = text(
      await make({ endpoints: ["10.5.0.2", "10.5.0.3"], nodes: ["10.5.0.2"] }),
      "talosConfig",
    )!;
    const folder = mkdtempSync(join(tmpdir(), "talosconfig-test-"));
    const file = join(folder, "talosconfig");
    writeFileSync(file, text(await make({}), "talosConfig")!, { mode: 0o600 });
    for (const words of [
      ["endpoint", "10.5.0.2", "10.5.0.3"],
      ["node", "10.5.0.2"],
    ]) {
      const { code, stderr } = await runProgram(talosctl, ["--talosconfig", file, "config", ...words]);
      expect([code, stderr]).toEqual([0, ""]);
    }
    const theirs = readFileSync(file, "utf8");
    rmSync(folder, { recursive: true });
    expect(ours).toBe(theirs);
  });

  test("secrets and patches are in no argument, in files of 0600 only, and gone afterwards", async () => {
    const folder = mkdtempSync(join(tmpdir(), "talosctl-test-"));
    const [log, wrapper] = [join(folder, "log"), join(folder, "talosctl")];
    const script = `#!/bin/sh
{ echo "$@"; echo "$HOME"; stat -c %a "$HOME" "$HOME"/*; } >> ${log}
exec ${talosctl} "$@"
`;
    writeFileSync(wrapper, script, { mode: 0o700 });
    const watched = talosPlugin({ talosctl: wrapper, simnode: "/nonexistent" });
    const args = { ...base, configPatches: ['{"machine":{"sysctls":{"hidden.patch":"1"}}}'] };
    const configs = await Promise.all([1, 2, 3].map(() => watched.functions[getConfiguration]!(args, false)));
    const [words, home, ...modes] = readFileSync(log, "utf8").trim().split("\n");
    rmSync(folder, { recursive: true });
    const cluster = record(record(secrets, "machineSecrets"), "cluster");
    expect(words).toMatch(/^gen config c /);
    expect(words).not.toContain("hidden.patch");
    expect(words).not.toContain(text(cluster, "secret"));
    expect(modes).toEqual(["700", "600", "600"]);
    expect(existsSync(home!)).toBe(false);
    expect(new Set(configs.map((config) => config["machineConfiguration"])).size).toBe(1);
  });

  test("patches of a ConfigurationApply are merged at plan time; without any the text stays as it is", async () => {
    const resource = plugin.resources["talos:machine/configurationApply:ConfigurationApply"]!;
    const input = text(await invoke(base), "machineConfiguration")!;
    const planned = async (configPatches: string[]) => {
      const inputs = { node: "10.5.0.2", machineConfigurationInput: input, configPatches };
      const { state } = await resource.create({ ...secretsRequest, preview: true, inputs });
      return plainProps(state);
    };
    const plain = await planned([]);
    expect(text(plain, "machineConfiguration")).toBe(input);
    const patched = await planned(['{"machine":{"sysctls":{"a":"1"}}}']);
    expect(text(patched, "machineConfiguration")).toContain('    sysctls:\n        a: "1"\n');
    expect(text(patched, "machineConfiguration")).toMatch(/[^\n]\n$/);
    expect(text(patched, "machineConfigurationHash")).toBe(
      createHash("sha256").update(text(patched, "machineConfiguration")!).digest("hex"),
    );
    await expect(planned(['[{"op":"add","path":"/machine/sysctls","value":{}}]'])).rejects.toThrow(
      new Error(
        "Error applying config patches: JSON6902 patches are not supported for multi-document machine configuration",
      ),
    );
  });
});
