/** `npm run export-states`: only when the resources or their inputs have to change, and then people's states change too. */
import { exportState } from "./state-fixture";

async function main(): Promise<void> {
  for (const stack of ["lab", "hetzner"] as const) await exportState(stack);
}

void main();
