import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../../plugins/framework/values";
import { kubernetesPlugin } from "../../../plugins/kubernetes";
import { startPlugin, type PluginClient } from "../../support/recordings";
import { startCluster, type Cluster } from "./cluster";

export interface PluginOfTest {
  client: PluginClient;
  cluster: Cluster;
  /** Where the plugin leaves its kubeconfigs. */
  folder: string;
  start(): Promise<void>;
  configure(kubeconfig: string, more?: JsonObject): Promise<JsonObject>;
}

/** A new plugin, cluster and temporary folder for each test of the file that calls this; the environment is as before after each. */
export function pluginForEachTest(): PluginOfTest {
  const before = { ...process.env };
  const made = {
    start: async () => void (made.client = await startPlugin(kubernetesPlugin())),
    configure: (kubeconfig, more = {}) =>
      made.client.ask("configure", { args: { clusterIdentifier: "lab", kubeconfig, ...more } }),
  } as PluginOfTest;
  beforeEach(async () => {
    made.folder = mkdtempSync(join(tmpdir(), "kubernetes-plugin-"));
    process.env["TMPDIR"] = made.folder;
    made.cluster = await startCluster();
    await made.start();
  });
  afterEach(async () => {
    await made.client.stop();
    await made.cluster.stop();
    process.env = { ...before };
    rmSync(made.folder, { recursive: true });
  });
  return made;
}
