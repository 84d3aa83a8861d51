import { createWriteStream, type WriteStream } from 'node:fs';

/** What must never be found, each with what it means. */
export const CHECKS = {
  'acknowledged and lost': 'an acknowledged write is not there',
  'not as written': 'a state that no client can have written last',
  'half-written': 'a part of a write is there and another part is missing',
  'above a quota': 'a success that no limit in force had room for',
  'refused with room left': '413 although there was room, whatever was in flight',
  'created although blacklisted': 'a zone created after a matching pattern in enforce was acknowledged',
  'refused although free': 'a name refused as blacklisted that no pattern in enforce matches',
  'below a zone of another tenant': 'two zones of two tenants that are the same, or one below the other',
  'an event too few or too many':
    'a change without its one event, an event without its change, or a gap between two',
  'replay differs': 'a retry with the same Idempotency-Key that does not get the first success again',
  'both refused': 'two conflicting zones of which neither was created',
  'not answered in time': 'no response within the time-out from a process that ran all the time',
  'unexpected answer': 'a 500, a 503 without Retry-After, or a refusal of what is allowed',
  'exited by itself': 'a process that exited without being told to, or not with 0 after SIGTERM',
  'not verified': '`zonewarden verify` found a fault',
  'waits for ever': 'a zone that is not ACTIVE, or not gone, long after the last failure',
  'servers differ': 'a name server has other zones or records than the store, long after the last failure',
} as const;

export type Check = keyof typeof CHECKS;

interface Operation {
  sent: number;
  done: number;
  refused: number;
  unknown: number;
}

export type Settled = Exclude<keyof Operation, 'sent'>;

/** All that happened: counted, and written to a file line by line. */
export class Ledger {
  readonly operations = new Map<string, Operation>();
  readonly injuries = new Map<string, number>();
  readonly checks = new Map<Check, { looked: number; faults: number }>();
  readonly faults: string[] = [];
  /** What was measured, with what it is. */
  readonly figures = new Map<string, string>();
  kills = 0;
  /** Operations of the load that were answered with success. */
  acknowledged = 0;
  slowest = 0;
  readonly #file: WriteStream;
  readonly #start = performance.now();

  constructor(file: string) {
    this.#file = createWriteStream(file);
    for (const check of Object.keys(CHECKS) as Check[]) this.checks.set(check, { looked: 0, faults: 0 });
  }

  /** Milliseconds since the beginning; every time in the model and in the file is one of these. */
  now(): number {
    return performance.now() - this.#start;
  }

  write(entry: Readonly<Record<string, unknown>>): void {
    this.#file.write(`${JSON.stringify({ at: Math.round(this.now() * 1000) / 1000, ...entry })}\n`);
  }

  operation(kind: string, settled: Settled): void {
    const found = this.operations.get(kind) ?? { sent: 0, done: 0, refused: 0, unknown: 0 };
    found.sent++;
    found[settled]++;
    if (settled === 'done') this.acknowledged++;
    this.operations.set(kind, found);
  }

  injury(kind: string, isKill: boolean, about: Readonly<Record<string, unknown>>): void {
    this.injuries.set(kind, (this.injuries.get(kind) ?? 0) + 1);
    if (isKill) this.kills++;
    this.write({ injury: kind, ...about });
  }

  looked(check: Check, count = 1): void {
    this.checks.get(check)!.looked += count;
  }

  fault(check: Check, about: string): void {
    this.checks.get(check)!.faults++;
    this.faults.push(`${check}: ${about}`);
    this.write({ fault: check, about });
    process.stderr.write(`FAULT at ${(this.now() / 1000).toFixed(3)} s: ${check}: ${about}\n`);
  }

  /** Counts a look, and the fault where there is one. */
  require(check: Check, holds: boolean, about: () => string): void {
    this.looked(check);
    if (!holds) this.fault(check, about());
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#file.end(resolve));
  }
}
