/** Something that goes wrong for requests that match. */
export interface FactoryFault {
  /** HTTP method; every method when left out. */
  readonly method?: string;
  /** Matched against the path without the query. */
  readonly path: RegExp;
  /** How often it strikes (default 1). */
  readonly times?: number;
  /** Answers this status with `body` instead of doing anything. */
  readonly status?: number;
  readonly body?: string;
  /** Never answers. */
  readonly hang?: boolean;
  /** Cuts the connection without an answer. */
  readonly drop?: boolean;
  /** POST /schematics answers this id, as a factory with another YAML library would. */
  readonly wrongId?: string;
  /** ... and this text. */
  readonly wrongText?: string;
}

/** The faults that are armed. */
export class FactoryFaults {
  #armed: { fault: FactoryFault; left: number }[] = [];

  add(fault: FactoryFault): void {
    this.#armed.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#armed = [];
  }

  /** The first armed fault that strikes this request; it is used up once. */
  take(method: string, path: string): FactoryFault | undefined {
    const found = this.#armed.find(
      ({ fault, left }) => left > 0 && (fault.method ?? method) === method && fault.path.test(path),
    );
    if (found) found.left -= 1;
    return found?.fault;
  }
}
