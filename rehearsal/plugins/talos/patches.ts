/** Config patches as the provider loads them: text, or a file when it looks like a name. */
import { readFile } from "node:fs/promises";

const looksLikeText = (patch: string): boolean => /[\n ]/.test(patch) || /^[[{]/.test(patch);

/** The file that a patch names: after `@`, or when it has neither newline nor space and starts with neither [ nor {. */
const patchFileName = (patch: string): string | undefined => {
  if (patch.startsWith("@")) return patch.slice(1);
  return looksLikeText(patch) ? undefined : patch;
};

/** The patch's text; rejects with the provider's message when the file it names cannot be read. */
export async function loadPatch(patch: string): Promise<string> {
  const file = patchFileName(patch);
  if (file === undefined) return patch;
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT" || file === "";
    throw new Error(`open ${file}: ${missing ? "no such file or directory" : "permission denied"}`);
  }
}
