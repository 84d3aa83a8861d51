/** Consecutive unanswered queries after which a server can count as silent. */
const MANY = 3;

interface Quiet {
  since: number;
  questions: number;
  probedAt: number;
  /** A sentence that says why there was no response. */
  fault: string;
}

/**
 * Tracks servers that do not respond, so that orders do not each wait for them. A silent server gets an occasional
 * query; its first response ends the silence.
 */
export class ServerCircuitBreaker {
  readonly #silence: number;
  readonly #probe: number;
  readonly #quiet = new Map<string, Quiet>();

  /**
   * @param silence milliseconds until a server counts as silent
   * @param probe milliseconds between queries to a silent server
   */
  constructor(silence: number, probe: number) {
    this.#silence = silence;
    this.#probe = probe;
  }

  /** Returns why a silent server did not respond; undefined if it may be queried now. */
  find(server: string): string | undefined {
    const now = performance.now();
    const quiet = this.#quiet.get(server);
    if (quiet === undefined || quiet.questions < MANY || now - quiet.since < this.#silence) return undefined;
    if (now - quiet.probedAt < this.#probe) return quiet.fault;
    quiet.probedAt = now;
    return undefined;
  }

  answered(server: string): void {
    this.#quiet.delete(server);
  }

  /** @param askedAt when the unanswered query was sent (`performance.now()`) */
  unanswered(server: string, queriedAt: number, fault: string): void {
    const quiet = this.#quiet.get(server) ?? { since: queriedAt, questions: 0, probedAt: 0, fault };
    quiet.fault = fault;
    quiet.questions += 1;
    this.#quiet.set(server, quiet);
  }
}
