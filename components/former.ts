/** What earlier runs left in this stack's own state: known in a preview too, offline, and without a resource of its own. */
import * as pulumi from "@pulumi/pulumi";
import pRetry from "p-retry";
import type * as talos from "@pulumiverse/talos";
import { z } from "zod";

export interface Former {
  /** Data of the record in the cluster; absent until a cluster has come up. */
  readonly record?: Readonly<Record<string, string>>;
  /** By node name: the machine config that it took last. Secret. */
  readonly configs: Readonly<Record<string, string>>;
  /** The cluster's secrets as the provider gave them. Secret. */
  readonly machineSecrets?: talos.types.input.machine.MachineSecrets;
}

const answer = z.object({
  outputs: z.record(z.string(), z.object({ type: z.string(), outputs: z.record(z.string(), z.unknown()) })),
});

type States = readonly {
  readonly type: string;
  readonly name: string;
  readonly outputs: Record<string, unknown>;
}[];

/** Asked at the start of a run, before it has changed anything. A stack without a state has no former run. */
export async function formerState(cluster: string): Promise<Former> {
  const stackName = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()].join("/");
  const ask = (): Promise<unknown> =>
    Promise.resolve(pulumi.runtime.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName }));
  // A file backend writes the state in place, and this run's first writes come at the same time.
  const said = await pRetry(ask, { retries: 20, minTimeout: 50, factor: 1 });
  const states = Object.entries(answer.parse(said).outputs).map(([urn, { type, outputs }]) => ({
    ...{ type, outputs },
    name: urn.slice(urn.lastIndexOf("::") + 2),
  }));
  return formerOf(cluster, states);
}

function formerOf(cluster: string, states: States): Former {
  const ofType = (type: string) => states.filter((state) => state.type === type);
  const record = ofType("kubernetes:core/v1:ConfigMap").find(({ name }) => name === `${cluster}-record`);
  const data = z.record(z.string(), z.string()).safeParse(record?.outputs["data"]);
  const secrets = ofType("talos:machine/secrets:Secrets")[0]?.outputs["machineSecrets"];
  return {
    ...(data.success ? { record: data.data } : {}),
    configs: Object.fromEntries(
      ofType("talos:machine/configurationApply:ConfigurationApply").flatMap(({ name, outputs }) => {
        const text = outputs["machineConfigurationInput"];
        return typeof text === "string" ? [[name.replace(/-config$/, ""), text]] : [];
      }),
    ),
    ...(secrets === undefined ? {} : { machineSecrets: secrets as talos.types.input.machine.MachineSecrets }),
  };
}
