/** What is behind a wait that fails, and its cure. */
export interface Cause {
  readonly cause: string;
  readonly cure: string;
  /** True where nothing that comes by itself will mend it: waiting on is in vain. */
  readonly final: boolean;
}
