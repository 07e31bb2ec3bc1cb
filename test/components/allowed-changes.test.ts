/** What a preview says of a running cluster's coming configs. Under mocks: the former run is what the state is asked for. */
import * as pulumi from "@pulumi/pulumi";
import { allowedChanges } from "../../components/allowed-changes";
import { reserve } from "../../machine/reserve";
import { mockPulumi } from "../support/mocks";
import { labPlan } from "../support/plans";

const config = (taints: readonly object[]) =>
  JSON.stringify({ machine: { kubelet: { extraConfig: { registerWithTaints: taints } } } });
const former = (node: string, text: string) => ({
  [`urn:pulumi:lab::talos-fleet::x::${node}-config`]: {
    type: "talos:machine/configurationApply:ConfigurationApply",
    outputs: { machineConfigurationInput: text },
  },
});
const secrets = {
  "urn:pulumi:lab::talos-fleet::x::lab-secrets": {
    type: "talos:machine/secrets:Secrets",
    outputs: { machineSecrets: {} },
  },
};
const spot = { key: "spot", effect: "NoExecute" as const };

async function warnings(before: string, after: string): Promise<string[]> {
  await mockPulumi(
    {
      resources: {},
      functions: {
        "pulumi:pulumi:readStackResourceOutputs": () => ({
          outputs: { ...secrets, ...former("lab-worker-1", before) },
        }),
        "talos:machine/getConfiguration:getConfiguration": (inputs) => ({
          ...inputs,
          machineConfiguration: after,
        }),
      },
    },
    { preview: true },
  );
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  const plan = labPlan({ workers: [{ name: "worker", count: 1, taints: [spot] }] });
  const args = { plan, installer: "i", schematicId: "s", reservation: reserve(plan), talosReplaces: true };
  const allowed = new Promise((resolve) => allowedChanges(args).apply(resolve));
  expect(await allowed).toBe(true);
  const said = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  return said;
}

test("taints that do not reach the nodes that are there are told, with what does it; none when they are the same", async () => {
  expect(await warnings(config([]), config([spot]))).toEqual([
    expect.stringMatching(
      /^taints: pool worker: lab-worker-1 registered .* lab-worker-1 spot:NoExecute" adds/,
    ),
  ]);
  expect(await warnings(config([spot]), config([spot]))).toEqual([]);
});
