/** Reads `talosctl get machinestatus -o yaml` of one node or several. Pure. */
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const schema = z.looseObject({
  node: z.string(),
  spec: z.looseObject({
    stage: z.string(),
    status: z
      .looseObject({
        ready: z.boolean(),
        unmetConditions: z.array(z.looseObject({ name: z.string() })).nullish(),
      })
      .optional(),
  }),
});

export interface MachineStatus {
  /** `booting`, `running`, `maintenance`, ... */
  readonly stage: string;
  readonly ready: boolean;
  /** Names of what it still waits for. */
  readonly unmet: readonly string[];
}

/** What to ask talosctl for. */
export const MACHINE_STATUS = ["get", "machinestatus", "-o", "yaml"] as const;

/** By the node's address. */
export function machineStatuses(text: string): ReadonlyMap<string, MachineStatus> {
  const documents = parseAllDocuments(text).map((document) => schema.safeParse(document.toJS()));
  return new Map(documents.flatMap(({ data }) => (data === undefined ? [] : [[data.node, statusOf(data)]])));
}

const statusOf = ({ spec: { stage, status } }: z.infer<typeof schema>): MachineStatus => ({
  stage,
  ready: status?.ready ?? false,
  unmet: (status?.unmetConditions ?? []).map(({ name }) => name),
});
