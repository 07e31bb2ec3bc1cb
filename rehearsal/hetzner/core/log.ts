/** One request as it came, with the status it was answered; `status` 0 while there is no answer. */
export interface LoggedRequest {
  readonly method: string;
  /** Below `/v1`, without the query. */
  readonly path: string;
  readonly query: string;
  /** Parsed JSON; `user_data` is replaced by its length. */
  readonly body: unknown;
  readonly at: string;
  status: number;
}

const hideUserData = (key: string, value: unknown): unknown =>
  key === "user_data" && typeof value === "string" ? `<${value.length} characters>` : value;

/** A copy of a request body that is safe to keep. */
export const loggedBody = (body: unknown): unknown =>
  body === undefined ? undefined : (JSON.parse(JSON.stringify(body, hideUserData)) as unknown);
