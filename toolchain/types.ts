/** How one executable is made from a Go module of this checkout. */
export interface GoRecipe {
  readonly tool: string;
  /** Shown to people; the module's go.mod is what decides. */
  readonly version: string;
  /** The module's folder: go.mod, go.sum and whatever sources of ours there are. */
  readonly module: string;
  readonly package: string;
  readonly flags: readonly string[];
  /** What a first build costs on two cores, e.g. `about 4 minutes`. */
  readonly firstBuild: string;
}

/** Prints one line of progress. */
export type Log = (line: string) => void;

export interface BuildContext {
  /** Folder of built tools; see `cacheRoot`. */
  readonly cache: string;
  /** The go command. */
  readonly go: string;
  readonly log: Log;
}

/** An executable and where it came from. */
export interface Tool {
  readonly name: string;
  readonly path: string;
  readonly version: string;
  readonly origin: "installed" | "built";
}
