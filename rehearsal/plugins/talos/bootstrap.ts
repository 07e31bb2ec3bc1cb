/** talos:machine/bootstrap:Bootstrap */
import type { ResourceStandIn } from "../framework/types";
import { hasUnknown } from "../framework/values";
import type { NodeClient } from "./node-client";
import { plannedResource } from "./planned-resource";
import { bootstrapSchema } from "./schemas";
import { oneOf, summarised, targetOf, timeoutOf, withEndpoint } from "./targets";

/** A cluster that has etcd answers AlreadyExists, which is retried until the time-out; an update sends nothing. */
export const bootstrapResource = (nodes: NodeClient): ResourceStandIn =>
  plannedResource(bootstrapSchema, {
    validate: (inputs) =>
      oneOf(inputs, "clientConfiguration", {
        name: "client configuration",
        terraformName: "client_configuration",
      }),
    modifyPlan: (planned, { config }) =>
      hasUnknown(config["endpoint"]) || hasUnknown(config["node"]) ? planned : withEndpoint(planned, config),
    create: async (planned, { signal }) => {
      const limits = { timeoutMs: timeoutOf(planned, "create"), signal };
      await summarised(
        "Error bootstrapping node",
        nodes.call({ op: "bootstrap", ...targetOf(planned) }, limits),
      );
      return { id: "machine_bootstrap", state: { clientConfigurationWo: null } };
    },
    update: async () => ({}),
    import: async () => ({}),
  });
