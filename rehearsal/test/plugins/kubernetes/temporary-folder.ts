import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the plugin of a test leaves its kubeconfigs; with the environment as it was when the folder goes. */
export function temporaryFolder() {
  const before = { ...process.env };
  let folder = "";
  return {
    make: (): string => {
      folder = mkdtempSync(join(tmpdir(), "kubernetes-plugin-"));
      process.env["TMPDIR"] = folder;
      return folder;
    },
    remove: (): void => {
      process.env = { ...before };
      rmSync(folder, { recursive: true });
    },
  };
}
