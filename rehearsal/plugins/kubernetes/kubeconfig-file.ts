/** The plugin's copy of the kubeconfig for Helm: written at each Configure, removed by nobody. */
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";

import { messageOf } from "../framework/errors";
import { kubeconfigText } from "./kubeconfig";

/** As os.CreateTemp("", "kubeconfig") names it: `$TMPDIR/kubeconfig` and digits, for its owner only. Gives the path. */
export function writeKubeconfigFile(contentOrPath: string): string {
  const given = process.env["TMPDIR"] ?? "";
  const folder = given === "" ? "/tmp" : given;
  const text = stringify(parse(kubeconfigText(contentOrPath)), { sortMapEntries: true });
  for (;;) {
    const file = join(folder, `kubeconfig${randomInt(2 ** 32)}`);
    try {
      writeFileSync(file, text, { mode: 0o600, flag: "wx" });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST")
        throw new Error(`failed to write kubeconfig file: ${messageOf(error)}`, { cause: error });
    }
  }
}
