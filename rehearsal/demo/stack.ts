import type { Session } from "../session";
import { fleetVerify, kubernetesNodes } from "./cluster";
import { DemoError, mustSucceed, previewSummary, showProgress, step } from "./steps";
import type { Say } from "./steps";
import { nodesTable, outputsTable } from "./tables";
import type { NodeOutputs } from "./tables";

interface Outputs {
  readonly nodes: NodeOutputs;
  readonly kubeconfig: string;
}

async function previewAllNew(session: Session, say: Say): Promise<void> {
  const { counts, types } = await previewSummary(session);
  const others = Object.keys(counts).filter((kind) => kind !== "create");
  if (others.length > 0)
    throw new DemoError(`a new stack should only create, but the preview says ${JSON.stringify(counts)}`);
  const listed = [...types.values()].reduce((sum, count) => sum + count, 0);
  const rest = (counts["create"] ?? 0) - listed;
  const kinds = [...types].sort(([, a], [, b]) => b - a).map(([type, count]) => `${count} ${type}`);
  say(`  ${listed} to create: ${kinds.join(", ")}; and ${rest} components and providers`);
}

async function previewNoChange(session: Session, say: Say): Promise<void> {
  mustSucceed(
    "the second preview (it must show no change)",
    await session.preview({ expectNoChanges: true, diff: true }),
  );
  say("  no change");
}

const readOutputs = async (session: Session): Promise<Outputs> =>
  (await session.outputs({ showSecrets: true })) as unknown as Outputs;

/** A lab's lines tell what is looked at; a fleet has the same ones for every node. */
const SHOWN_LINES = 40;

async function verify(session: Session, say: Say): Promise<void> {
  const lines = await fleetVerify(session);
  const verdict = lines.at(-1) ?? "";
  for (const line of lines.length <= SHOWN_LINES ? lines.slice(0, -1) : []) say(`  ${line}`);
  say(`  talos-fleet verify --stack ${verdict}`);
  const { nodes, kubeconfig } = await readOutputs(session);
  say(nodesTable(nodes, await kubernetesNodes(kubeconfig)));
  say(outputsTable(await session.outputs()));
}

async function destroy(session: Session, say: Say): Promise<void> {
  const { deployment } = await session.exportState();
  const guarded = (deployment.resources ?? []).filter((resource) => resource["protect"] === true).length;
  if (guarded > 0) {
    say(`  ${guarded} protected resources (deletionProtection): pulumi state unprotect --all`);
    mustSucceed("pulumi state unprotect", await session.unprotect());
  }
  mustSucceed("destroy", await session.destroy({ onLine: showProgress(say) }));
}

async function nothingLeft(session: Session, say: Say): Promise<void> {
  const { deployment } = await session.exportState();
  const left = [
    ...(deployment.resources ?? []).map((resource) => `in the state: ${String(resource["urn"])}`),
    ...session.world.leftovers(),
    ...session
      .leftovers()
      .filter(({ command }) => !command.includes("plugin-host.ts"))
      .map(({ command }) => `process ${command}`),
  ];
  if (left.length > 0) throw new DemoError(`left after destroy:\n${left.join("\n")}`);
  say("  no resource, process, volume or network");
}

/** The whole life of one stack; throws at the first step that is not as it should be. */
export async function demonstrate(session: Session, say: Say): Promise<void> {
  const name = session.stack;
  await step(say, `${name}: pulumi preview of a new stack`, async () => previewAllNew(session, say));
  await step(say, `${name}: pulumi up`, async () => {
    mustSucceed("up", await session.up({ onLine: showProgress(say) }));
    for (const origin of session.world.factory?.origins ?? []) say(`  Image Factory: ${origin}`);
  });
  await step(say, `${name}: pulumi preview again`, async () => previewNoChange(session, say));
  await step(say, `${name}: verify`, async () => verify(session, say));
  await step(say, `${name}: pulumi destroy`, async () => destroy(session, say));
  await step(say, `${name}: what is left`, async () => nothingLeft(session, say));
}
