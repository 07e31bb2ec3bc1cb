/** talos:machine/configurationApply:ConfigurationApply */
import { createHash } from "node:crypto";
import type { DeleteRequest, Props, ResourceStandIn } from "../framework/types";
import { hasUnknown, isProps, list, record, text } from "../framework/values";
import type { MachineConfigs } from "./machine-config";
import type { NodeClient } from "./node-client";
import { plannedResource, type PlanSides } from "./planned-resource";
import { configurationApplySchema } from "./schemas";
import { oneOf, summarised, targetOf, timeoutOf, withEndpoint } from "./targets";

interface Tools {
  readonly configs: MachineConfigs;
  readonly nodes: NodeClient;
}

const asStrings = (props: Props, key: string): string[] =>
  list(props, key).filter((item): item is string => typeof item === "string");

const inputOf = (props: Props): string | undefined =>
  text(props, "machineConfigurationInputWo") ?? text(props, "machineConfigurationInput");

const render = (configs: MachineConfigs, props: Props): Promise<string> =>
  configs.patch(inputOf(props) ?? "", asStrings(props, "configPatches"));

/** How long a plan waits for a node that should say whether it would reboot. */
const dryRunMs = 40_000;

async function needsReboot({ nodes }: Tools, config: Props, machineConfig: string): Promise<boolean> {
  const request = {
    op: "apply",
    ...targetOf(config),
    config: machineConfig,
    mode: "auto",
    dryRun: true,
  } as const;
  const answer = await nodes.once(request, { timeoutMs: dryRunMs });
  return (
    typeof answer === "object" && answer !== null && "mode" in answer && /^reboot$/i.test(String(answer.mode))
  );
}

async function resolveMode(tools: Tools, sides: PlanSides, machineConfig: string): Promise<string> {
  const { config, prior, log } = sides;
  const mode = text(config, "applyMode") ?? "auto";
  if (mode !== "staged_if_needing_reboot") return mode;
  const before = prior === undefined ? undefined : text(prior, "resolvedApplyMode");
  if (before !== undefined && prior !== undefined && text(prior, "machineConfiguration") === machineConfig)
    return before;
  if (hasUnknown(config["clientConfiguration"]) || !isProps(config["clientConfiguration"])) return "auto";
  const node = text(config, "node") ?? "";
  try {
    if (!(await needsReboot(tools, config, machineConfig))) return "auto";
    log(
      `Reboot prevented - using staged mode: Node ${node}: Configuration requires reboot. Using 'staged' mode. Manually reboot with: talosctl reboot --nodes ${node}`,
      "warning",
    );
    return "staged";
  } catch (error) {
    log(
      `Cannot check reboot requirement: Node ${node}: ${(error as Error).message}. Using 'auto' mode (may reboot).`,
      "warning",
    );
    return "auto";
  }
}

/** Computes the rendered config, its hash and the mode when everything that they need is known. */
async function modifyPlan(tools: Tools, planned: Props, sides: PlanSides): Promise<Props> {
  const { config } = sides;
  if (hasUnknown(config["endpoint"]) || hasUnknown(config["node"])) return planned;
  const addressed = withEndpoint(planned, config);
  if (inputOf(config) === undefined || hasUnknown(config["configPatches"])) return addressed;
  const machineConfig = await render(tools.configs, config);
  return {
    ...addressed,
    machineConfigurationHash: createHash("sha256").update(machineConfig).digest("hex"),
    machineConfiguration: "machineConfigurationInputWo" in config ? null : machineConfig,
    resolvedApplyMode: await resolveMode(tools, sides, machineConfig),
  };
}

async function apply(tools: Tools, planned: Props, limits: { timeoutMs: number; signal: AbortSignal }) {
  const config = text(planned, "machineConfiguration") ?? (await render(tools.configs, planned));
  const mode = text(planned, "resolvedApplyMode") ?? text(planned, "applyMode") ?? "auto";
  const request = { op: "apply", ...targetOf(planned), config, mode } as const;
  await summarised("Error applying configuration", tools.nodes.call(request, limits));
}

const writeOnly = ["clientConfigurationWo", "machineConfigurationInputWo"];
/** Write-only inputs never reach the state. */
const stored = (planned: Props): Props =>
  Object.fromEntries(writeOnly.filter((key) => key in planned).map((key) => [key, null]));

async function remove(state: Props, { urn }: DeleteRequest): Promise<void> {
  if (record(state, "onDestroy")["reset"] !== true) return;
  throw new Error(
    `${urn}: onDestroy.reset: this stand-in has no reset; leave onDestroy out and delete the server or container`,
  );
}

const validate = (inputs: Props) => [
  ...oneOf(inputs, "machineConfigurationInput", {
    name: "machine configuration input",
    terraformName: "machine_configuration_input",
  }),
  ...oneOf(inputs, "clientConfiguration", {
    name: "client configuration",
    terraformName: "client_configuration",
  }),
];

/** Every update sends the config, whatever has changed. */
export const configurationApplyResource = (tools: Tools): ResourceStandIn =>
  plannedResource(configurationApplySchema, {
    validate,
    modifyPlan: (planned, sides) => modifyPlan(tools, planned, sides),
    create: async (planned, { signal }) => {
      await apply(tools, planned, { timeoutMs: timeoutOf(planned, "create"), signal });
      return { id: "machine_configuration_apply", state: stored(planned) };
    },
    update: async (planned, _prior, { signal }) => {
      await apply(tools, planned, { timeoutMs: timeoutOf(planned, "update"), signal });
      return stored(planned);
    },
    delete: remove,
  });
