/** What the plugin leaves behind, and how long it waits: both as the real one does. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

import { readRecordings } from "../../support/recordings";
import { kubeconfigFor } from "./cluster";
import { pluginForEachTest } from "./set-up";

const plugin = pluginForEachTest();
const configMap = readRecordings("kubernetes", /ConfigMap Create$/)[0]!.request;
const create = () => plugin.client.ask("create", configMap);
const unreachable = (words: string | RegExp) => ({
  code: 2,
  details: expect.stringMatching(words) as string,
});

describe("the kubeconfig", () => {
  test("is written at every Configure, for the owner only, and stays", async () => {
    await plugin.configure(plugin.cluster.kubeconfig);
    await plugin.configure(plugin.cluster.kubeconfig);
    await plugin.client.stop();
    const files = readdirSync(plugin.folder);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).toMatch(/^kubeconfig\d+$/);
      expect(statSync(join(plugin.folder, file)).mode & 0o777).toBe(0o600);
      expect(parse(readFileSync(join(plugin.folder, file), "utf8"))).toEqual(
        JSON.parse(plugin.cluster.kubeconfig),
      );
    }
    await plugin.start();
  });

  test("given by its path is written too, and so for a cluster that is down", async () => {
    const path = join(plugin.folder, "given.yaml");
    writeFileSync(path, kubeconfigFor("https://127.0.0.1:9"));
    await plugin.configure(path);
    expect(readdirSync(plugin.folder).filter((file) => file.startsWith("kubeconfig"))).toHaveLength(1);
  });

  test("that is not known, or none, is not", async () => {
    await plugin.configure("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
    await plugin.configure("{}");
    expect(readdirSync(plugin.folder)).toEqual([]);
    await expect(create()).rejects.toMatchObject(
      unreachable(/^configured Kubernetes cluster is unreachable: failed to parse kubeconfig data in /),
    );
  });

  test("that cannot be written ends Configure", async () => {
    process.env["TMPDIR"] = join(plugin.folder, "none");
    await expect(plugin.configure(plugin.cluster.kubeconfig)).rejects.toMatchObject(
      unreachable(/^failed to write kubeconfig file: /),
    );
  });
});

describe("PULUMI_K8S_CLIENT_TIMEOUT", () => {
  test("a schema that takes longer makes the cluster unreachable", async () => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "1";
    plugin.cluster.schemaMs = 1300;
    await plugin.configure(plugin.cluster.kubeconfig);
    expect(plugin.cluster.requests).toEqual(["GET /openapi/v2?timeout=1s"]);
    const { server } = (
      JSON.parse(plugin.cluster.kubeconfig) as { clusters: { cluster: { server: string } }[] }
    ).clusters[0]!.cluster;
    await expect(create()).rejects.toMatchObject({
      details:
        "configured Kubernetes cluster is unreachable: unable to load schema information from the API server: " +
        `Get "${server}/openapi/v2?timeout=1s": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    });
  });

  test.each([
    ["60", 1],
    ["", 32],
  ])("%j waits longer", async (seconds, expected) => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = seconds;
    plugin.cluster.schemaMs = 1300;
    await plugin.configure(plugin.cluster.kubeconfig);
    expect(plugin.cluster.requests[0]).toBe(
      `GET /openapi/v2?timeout=${seconds === "60" ? `${expected}m0s` : `${expected}s`}`,
    );
    await create();
    expect(plugin.cluster.objects.size).toBe(1);
  });

  test("it holds for every request, and for bodies that do not end", async () => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "1";
    plugin.cluster.slowBody = true;
    await plugin.configure(plugin.cluster.kubeconfig);
    await expect(create()).rejects.toMatchObject(
      unreachable(
        /: unexpected error when reading response body\. .* \(Client\.Timeout or context cancellation while reading body\)$/,
      ),
    );
    plugin.cluster.slowBody = false;
    await plugin.configure(plugin.cluster.kubeconfig);
    plugin.cluster.objectMs = 1300;
    await expect(create()).rejects.toMatchObject(
      unreachable(
        /^Get ".*\/talos-fleet\?timeout=1s": context deadline exceeded \(Client\.Timeout exceeded while awaiting headers\)$/,
      ),
    );
  });

  test("a value that is no number ends Configure", async () => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "2s";
    await expect(plugin.configure(plugin.cluster.kubeconfig)).rejects.toMatchObject({
      details:
        'invalid value specified for PULUMI_K8S_CLIENT_TIMEOUT: strconv.Atoi: parsing "2s": invalid syntax',
    });
  });
});
