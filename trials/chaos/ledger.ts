import { createWriteStream, type WriteStream } from 'node:fs';

/** What must never be found, each with what it means. */
export const CHECKS = {
  'acknowledged and lost': 'a write that was answered with success is not there',
  'not as written': 'what is there is nothing that anybody may have written last',
  'half-written': 'a part of a write is there, and another is not',
  'above a quota': 'a success that no limit in force had room for',
  'refused with room left': '413 although there was room, whatever was under way',
  'created although blacklisted': 'a zone made under a pattern acknowledged before',
  'refused although free': 'a name called blacklisted under no pattern',
  'below a zone of another tenant': 'two zones of which one lies in the other, or is the other',
  'not the first answer again': 'a retry under an Idempotency-Key that is answered otherwise',
  'refused by nobody': 'of two zones that exclude each other both refused',
  'not answered in time': 'no answer within the time-out from a process that ran all the while',
  'unexpected answer': 'a 500, a 503 without Retry-After, or a refusal of what is allowed',
  'ended by itself': 'a process that nobody ended, or one that SIGTERM did not end with 0',
  'not verified': '`zonewarden verify` found a fault',
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
