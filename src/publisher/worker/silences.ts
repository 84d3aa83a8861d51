/** Unanswered questions in a row, from which on a server counts as silent. */
const MANY = 3;

interface Quiet {
  since: number;
  questions: number;
  probedAt: number;
  /** Why there was no answer, as a sentence. */
  fault: string;
}

/**
 * The servers that answer nothing, so that many orders do not each wait for one of them. A silent server is asked one
 * question now and then; the first answer ends its silence.
 */
export class Silences {
  readonly #silence: number;
  readonly #probe: number;
  readonly #quiet = new Map<string, Quiet>();

  /** Milliseconds of silence, and between two questions to a silent server. */
  constructor(silence: number, probe: number) {
    this.#silence = silence;
    this.#probe = probe;
  }

  /** Why a server that is silent has not answered; undefined if it may be asked now. */
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

  /** @param askedAt when the question was asked that has no answer (`performance.now()`) */
  unanswered(server: string, askedAt: number, fault: string): void {
    const quiet = this.#quiet.get(server) ?? { since: askedAt, questions: 0, probedAt: 0, fault };
    quiet.fault = fault;
    quiet.questions += 1;
    this.#quiet.set(server, quiet);
  }
}
