/** A bucket of requests that refills by one `perHour`-th of an hour; gives the API's headers. */
export class RateLimit {
  private readonly perHour: number;
  private left: number;
  private refilledAt = Date.now();

  constructor(perHour: number) {
    this.perHour = perHour;
    this.left = perHour;
  }

  /** Takes one request; false when none is left. */
  take(): boolean {
    const now = Date.now();
    this.left = Math.min(this.perHour, this.left + ((now - this.refilledAt) * this.perHour) / 3_600_000);
    this.refilledAt = now;
    if (this.left < 1) return false;
    this.left -= 1;
    return true;
  }

  headers(): Record<string, string> {
    const secondsToFull = ((this.perHour - this.left) * 3600) / this.perHour;
    return {
      "RateLimit-Limit": String(this.perHour),
      "RateLimit-Remaining": String(Math.floor(this.left)),
      "RateLimit-Reset": String(Math.ceil(Date.now() / 1000 + secondsToFull)),
    };
  }

  get message(): string {
    return `limit of ${this.perHour} requests per hour reached`;
  }
}
