import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { contentKey, dropUnused, touch } from "./cache";
import { withLock } from "./lock";
import type { BuildContext, GoRecipe, Tool } from "./types";

const run = promisify(execFile);
const ERROR_LINES = 30;
const PROGRESS_MS = 20_000;

/** `go version` of the command; throws a message that says what to install. */
async function goVersion(go: string): Promise<string> {
  try {
    const { stdout } = await run(go, ["env", "GOVERSION", "GOOS", "GOARCH"], { env: goEnvironment() });
    return stdout.trim().split("\n").join(" ");
  } catch (error) {
    throw new Error(
      `${go}: does not run; pulumi and talosctl that are not installed are built with Go 1.26: install it from https://go.dev/dl/ (${reason(error)})`,
      { cause: error },
    );
  }
}

const reason = (error: unknown): string =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);

function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, CGO_ENABLED: "0", GOTOOLCHAIN: "local", GOWORK: "off" };
}

/** Runs go build; progress every 20 s, the last lines of the compiler in the error. */
async function goBuild(recipe: GoRecipe, output: string, context: BuildContext): Promise<void> {
  const args = ["build", "-trimpath", ...recipe.flags, "-o", output, recipe.package];
  const started = Date.now();
  const progress = setInterval(() => {
    context.log(`  still building ${recipe.tool} (${Math.round((Date.now() - started) / 1000)} s)`);
  }, PROGRESS_MS);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn(context.go, args, {
        cwd: recipe.module,
        env: goEnvironment(),
        stdio: ["ignore", "pipe", "pipe"],
      });
      const lines: string[] = [];
      const keep = (chunk: Buffer): void => void lines.push(...chunk.toString().split("\n").filter(Boolean));
      child.stdout.on("data", keep);
      child.stderr.on("data", keep);
      child.on("error", reject);
      child.on("close", (code) => {
        if (code === 0) resolve();
        else
          reject(
            new Error(
              [`go ${args.join(" ")} (in ${recipe.module}) failed:`, ...lines.slice(-ERROR_LINES)].join("\n"),
            ),
          );
      });
    });
  } finally {
    clearInterval(progress);
  }
}

/** Folder of the finished build of this recipe, whether it exists or not. */
function buildFolder(recipe: GoRecipe, context: BuildContext, compiler: string): string {
  const key = contentKey([recipe.module], [compiler, recipe.package, ...recipe.flags]);
  return join(context.cache, `${recipe.tool}-${key}`);
}

/** A folder appears in the cache whole or not at all; whoever is second takes what the first has put there. */
export async function makeFolder(folder: string, fill: (draft: string) => Promise<void>): Promise<void> {
  mkdirSync(join(folder, ".."), { recursive: true });
  const draft = mkdtempSync(`${folder}.draft-`);
  try {
    await fill(draft);
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The executable of a recipe: from the cache, else built now. Safe to call from several processes at once. */
export async function ensureBuilt(recipe: GoRecipe, context: BuildContext): Promise<Tool> {
  const folder = buildFolder(recipe, context, await goVersion(context.go));
  const tool: Tool = {
    name: recipe.tool,
    path: join(folder, recipe.tool),
    version: recipe.version,
    origin: "built",
  };
  if (!existsSync(tool.path)) {
    await withLock(`${folder}.lock`, context.log, async () => {
      if (existsSync(tool.path)) return;
      dropUnused(context.cache, recipe.tool);
      await buildNow(recipe, folder, context);
    });
  }
  touch(folder);
  return tool;
}

async function buildNow(recipe: GoRecipe, folder: string, context: BuildContext): Promise<void> {
  const source = recipe.package === "." ? "its sources" : "its published module";
  context.log(
    `building ${recipe.tool} ${recipe.version} from ${source} (first time: ${recipe.firstBuild}) ...`,
  );
  const started = Date.now();
  await makeFolder(folder, (draft) => goBuild(recipe, join(draft, recipe.tool), context));
  context.log(`built ${recipe.tool} in ${Math.round((Date.now() - started) / 1000)} s`);
}
