/** What the plugin leaves behind, and how long it waits: both as the real one does. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

import { kubernetesPlugin } from "../../../plugins/kubernetes";
import { readRecordings, startPlugin, type PluginClient } from "../../support/recordings";
import { kubeconfigFor, startCluster, type Cluster } from "./cluster";
import { temporaryFolder } from "./temporary-folder";

let client: PluginClient;
let cluster: Cluster;
let folder: string;
const temporary = temporaryFolder();

beforeEach(async () => {
  folder = temporary.make();
  cluster = await startCluster();
  client = await startPlugin(kubernetesPlugin());
});

afterEach(async () => {
  await client.stop();
  await cluster.stop();
  temporary.remove();
});

const configure = (kubeconfig: string) =>
  client.ask("configure", { args: { clusterIdentifier: "lab", kubeconfig } });
const configMap = readRecordings("kubernetes", /ConfigMap Create$/)[0]!.request;
const create = () => client.ask("create", configMap);
const unreachable = (words: string | RegExp) => ({
  code: 2,
  details: expect.stringMatching(words) as string,
});

describe("the kubeconfig", () => {
  test("is written at every Configure, for the owner only, and stays", async () => {
    await configure(cluster.kubeconfig);
    await configure(cluster.kubeconfig);
    await client.stop();
    const files = readdirSync(folder);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).toMatch(/^kubeconfig\d+$/);
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
      expect(parse(readFileSync(join(folder, file), "utf8"))).toEqual(JSON.parse(cluster.kubeconfig));
    }
    client = await startPlugin(kubernetesPlugin());
  });

  test("given by its path is written too, and so for a cluster that is down", async () => {
    const path = join(folder, "given.yaml");
    writeFileSync(path, kubeconfigFor("https://127.0.0.1:9"));
    await configure(path);
    expect(readdirSync(folder).filter((file) => file.startsWith("kubeconfig"))).toHaveLength(1);
  });

  test("that is not known, or none, is not", async () => {
    await configure("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
    await configure("{}");
    expect(readdirSync(folder)).toEqual([]);
    await expect(create()).rejects.toMatchObject(
      unreachable(/^configured Kubernetes cluster is unreachable: failed to parse kubeconfig data in /),
    );
  });

  test("that cannot be written ends Configure", async () => {
    process.env["TMPDIR"] = join(folder, "none");
    await expect(configure(cluster.kubeconfig)).rejects.toMatchObject(
      unreachable(/^failed to write kubeconfig file: /),
    );
  });
});

describe("PULUMI_K8S_CLIENT_TIMEOUT", () => {
  test("a schema that takes longer makes the cluster unreachable", async () => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "1";
    cluster.schemaMs = 1300;
    await configure(cluster.kubeconfig);
    expect(cluster.requests).toEqual(["GET /openapi/v2?timeout=1s"]);
    const { server } = (JSON.parse(cluster.kubeconfig) as { clusters: { cluster: { server: string } }[] })
      .clusters[0]!.cluster;
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
    cluster.schemaMs = 1300;
    await configure(cluster.kubeconfig);
    expect(cluster.requests[0]).toBe(
      `GET /openapi/v2?timeout=${seconds === "60" ? `${expected}m0s` : `${expected}s`}`,
    );
    await create();
    expect(cluster.objects.size).toBe(1);
  });

  test("it holds for every request, and for bodies that do not end", async () => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "1";
    cluster.slowBody = true;
    await configure(cluster.kubeconfig);
    await expect(create()).rejects.toMatchObject(
      unreachable(
        /: unexpected error when reading response body\. .* \(Client\.Timeout or context cancellation while reading body\)$/,
      ),
    );
    cluster.slowBody = false;
    await configure(cluster.kubeconfig);
    cluster.objectMs = 1300;
    await expect(create()).rejects.toMatchObject(
      unreachable(
        /^Get ".*\/talos-fleet\?timeout=1s": context deadline exceeded \(Client\.Timeout exceeded while awaiting headers\)$/,
      ),
    );
  });

  test("a value that is no number ends Configure", async () => {
    process.env["PULUMI_K8S_CLIENT_TIMEOUT"] = "2s";
    await expect(configure(cluster.kubeconfig)).rejects.toMatchObject({
      details:
        'invalid value specified for PULUMI_K8S_CLIENT_TIMEOUT: strconv.Atoi: parsing "2s": invalid syntax',
    });
  });
});
