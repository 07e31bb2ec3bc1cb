/** What was asked for cannot be done as it was asked: the command ends with exit code 2. */
export class BadInput extends Error {
  readonly exitCode = 2;

  constructor(message: string) {
    super(message);
    this.name = "BadInput";
  }
}
