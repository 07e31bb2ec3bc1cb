/** Machine configs: generated and patched by talosctl with the provider's defaults. */
import { createHash } from "node:crypto";
import type { Props } from "../framework/types";
import { loadPatch } from "./patches";
import { secretsFileOf } from "./secrets-bundle";
import type { Talosctl } from "./talosctl";

/** What plugin 0.8.1 takes when nothing is given: constants of Talos v1.13.0, on which it is built. */
const defaults = {
  installDisk: "/dev/sda",
  installImage: "ghcr.io/siderolabs/installer:v1.13.0",
  kubernetesVersion: "1.36.0",
  talosVersion: "v1.13",
};

interface ConfigInputs {
  readonly clusterName: string;
  readonly clusterEndpoint: string;
  readonly machineType: "controlplane" | "worker";
  readonly machineSecrets: Props;
  readonly configPatches: readonly string[];
  readonly kubernetesVersion: string | undefined;
  readonly talosVersion: string | undefined;
  readonly docs: boolean;
  readonly examples: boolean;
}

export interface MachineConfigs {
  generate(inputs: ConfigInputs): Promise<string>;
  /** A given config with patches laid over it; without patches the very same text. */
  patch(config: string, patches: readonly string[]): Promise<string>;
}

type Files = Record<string, string>;

const patchFiles = (patches: readonly string[]): Files =>
  Object.fromEntries(patches.map((text, index) => [`patch-${index}.yaml`, text]));

const patchArguments = (flag: string, count: number, path: (name: string) => string): string[] =>
  Array.from({ length: count }, (_, index) => [flag, `@${path(`patch-${index}.yaml`)}`]).flat();

/** talosctl names its steps a little differently; the rest of the message is the same code's. */
const asProvider = (message: string): string =>
  message.startsWith("error parsing config JSON patch: ")
    ? `config_patches are invalid: ${message.replace("error parsing config JSON patch: ", "")}`
    : `failed to generate machine configuration: ${message.replace(/^failed to generate config bundle: /, "")}`;

function generateArguments(inputs: ConfigInputs, path: (name: string) => string): string[] {
  const flag = inputs.machineType === "worker" ? "--config-patch-worker" : "--config-patch-control-plane";
  return [
    ...["gen", "config", inputs.clusterName, inputs.clusterEndpoint],
    ...["--with-secrets", path("secrets.yaml"), "--output-types", inputs.machineType, "--output", "-"],
    `--with-docs=${inputs.docs}`,
    `--with-examples=${inputs.examples}`,
    ...["--kubernetes-version", (inputs.kubernetesVersion ?? defaults.kubernetesVersion).replace(/^v/, "")],
    ...["--talos-version", inputs.talosVersion ?? defaults.talosVersion],
    ...["--install-disk", defaults.installDisk, "--install-image", defaults.installImage],
    ...patchArguments(flag, inputs.configPatches.length, path),
  ];
}

const loadAll = async (patches: readonly string[], prefix: string): Promise<string[]> => {
  try {
    return await Promise.all(patches.map(loadPatch));
  } catch (error) {
    throw new Error(`${prefix}: ${(error as Error).message}`);
  }
};

async function generate(talosctl: Talosctl, inputs: ConfigInputs): Promise<string> {
  const files = { "secrets.yaml": secretsFileOf(inputs.machineSecrets), ...patchFiles(inputs.configPatches) };
  try {
    return await talosctl.run(files, (path) => generateArguments(inputs, path));
  } catch (error) {
    throw new Error(asProvider((error as Error).message));
  }
}

async function patchOne(talosctl: Talosctl, config: string, patches: readonly string[]): Promise<string> {
  const files = { "config.yaml": config, ...patchFiles(patches) };
  try {
    const printed = await talosctl.run(files, (path) => [
      ...["machineconfig", "patch", path("config.yaml")],
      ...patchArguments("--patch", patches.length, path),
    ]);
    // talosctl prints the text and a newline of its own.
    return printed.replace(/\n$/, "");
  } catch (error) {
    throw new Error(`Error applying config patches: ${(error as Error).message}`);
  }
}

/**
 * Results are kept in memory under a hash of all inputs: they are pure functions of them, and Pulumi asks for each
 * several times in a run (preview, diff, update).
 */
export function createMachineConfigs(talosctl: Talosctl): MachineConfigs {
  const cache = new Map<string, Promise<string>>();
  const cached = (inputs: unknown, make: () => Promise<string>): Promise<string> => {
    const key = createHash("sha256").update(JSON.stringify(inputs)).digest("hex");
    const found = cache.get(key) ?? make();
    cache.set(key, found);
    found.catch(() => cache.delete(key));
    return found;
  };
  return {
    generate: async (inputs) => {
      const configPatches = await loadAll(inputs.configPatches, "config_patches are invalid");
      const complete = { ...inputs, configPatches };
      return cached(complete, () => generate(talosctl, complete));
    },
    patch: async (config, patches) => {
      if (patches.length === 0) return config;
      const texts = await loadAll(patches, "Error loading config patches");
      return cached([config, texts], () => patchOne(talosctl, config, texts));
    },
  };
}
