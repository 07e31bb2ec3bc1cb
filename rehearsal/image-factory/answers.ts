/** One HTTP answer, before it is written. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Errors are plain text with a line break. */
export function plain(status: number, text: string): Answer {
  return { status, body: `${text}\n`, headers: { "Content-Type": "text/plain; charset=utf-8" } };
}

export function json(status: number, data: unknown): Answer {
  return { status, body: JSON.stringify(data), headers: { "Content-Type": "application/json" } };
}
