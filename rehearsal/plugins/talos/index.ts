/** Stand-in for the talos plugin 0.8.1: generates with talosctl, and talks to nodes with `simnode client`. */
import type { PluginStandIn } from "../framework/types";
import { text } from "../framework/values";
import { bootstrapResource } from "./bootstrap";
import { configurationApplyResource } from "./config-apply";
import { nodeFunctions } from "./functions";
import { factoryFunctions, schematicResource } from "./image-factory";
import { kubeconfigResource } from "./kubeconfig";
import { createMachineConfigs } from "./machine-config";
import { createNodeClient } from "./node-client";
import { secretsResource } from "./secrets";
import { createTalosctl } from "./talosctl";

export interface TalosPluginOptions {
  /** Paths of the two programs. */
  readonly talosctl: string;
  readonly simnode: string;
  /** Taken where the provider's configuration has no `imageFactoryUrl`; `https://factory.talos.dev` when left out. */
  readonly factoryUrl?: string;
  /** The time, for certificates that are about to expire. */
  readonly now?: () => Date;
}

export function talosPlugin(options: TalosPluginOptions): PluginStandIn {
  const talosctl = createTalosctl(options.talosctl);
  const nodes = createNodeClient(options.simnode);
  const configs = createMachineConfigs(talosctl);
  const defaultUrl = options.factoryUrl ?? "https://factory.talos.dev";
  let factoryUrl = defaultUrl;
  const currentUrl = () => factoryUrl;
  return {
    name: "talos",
    version: "0.8.1",
    capabilities: {
      acceptSecrets: false,
      supportsPreview: true,
      acceptResources: true,
      acceptOutputs: false,
      supportsAutonamingConfiguration: true,
    },
    checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
    configure: async (args) => {
      factoryUrl = (text(args, "imageFactoryUrl") ?? defaultUrl).replace(/\/$/, "");
    },
    resources: {
      "talos:machine/secrets:Secrets": secretsResource(talosctl, options.now),
      "talos:machine/configurationApply:ConfigurationApply": configurationApplyResource({ configs, nodes }),
      "talos:machine/bootstrap:Bootstrap": bootstrapResource(nodes),
      "talos:cluster/kubeconfig:Kubeconfig": kubeconfigResource(nodes, options.now),
      "talos:imageFactory/schematic:Schematic": schematicResource(currentUrl),
    },
    functions: { ...nodeFunctions(configs, nodes), ...factoryFunctions(currentUrl) },
  };
}
