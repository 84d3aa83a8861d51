import type { CountedWrite } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { WriteRate } from '../../model/scopes/credential-scope.ts';

/** Maximum number of credentials whose writes are remembered, and of these writes; the least recently seen are dropped. */
const MAX_CREDENTIALS = 10_000;
const MAX_WRITES = 1_000_000;

/** The times of a credential's last writes, in milliseconds, oldest first. */
type Writes = number[];

/** Counts the writes of credentials with a rate, in any span of time: exact in this process. */
export class WriteRates {
  readonly #now: () => number;
  /** By the id of the credential; the least recently seen comes first. */
  readonly #writes = new Map<string, Writes>();
  #total = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Counts one more write for each credential, unless it would be too many for one of them.
   * @param rates by the id of the credential
   */
  count(rates: ReadonlyMap<string, WriteRate>): CountedWrite {
    const now = this.#now();
    const all = [...rates].map(([id, rate]) => ({ id, rate, recent: this.#recent(id, rate, now) }));
    const waitMs = Math.max(
      0,
      ...all.map(({ rate, recent }) =>
        recent.length < rate.writes ? 0 : recent[recent.length - rate.writes]! + rate.perSeconds * 1000 - now,
      ),
    );
    const isFree = waitMs === 0;
    if (isFree) for (const { recent } of all) recent.push(now);
    if (isFree) this.#total += all.length;
    this.#forgetOldest();
    let isCounted = isFree;
    return {
      isFree,
      require: () => {
        if (!isFree) throw tooMany(waitMs);
      },
      forget: () => {
        if (isCounted) for (const { id } of all) this.#remove(id, now);
        isCounted = false;
      },
    };
  }

  /** The writes that still count. */
  #recent(id: string, { perSeconds }: WriteRate, now: number): Writes {
    const recent = this.#writes.get(id) ?? [];
    const first = recent.findIndex((at) => at > now - perSeconds * 1000);
    const ended = recent.splice(0, first === -1 ? recent.length : first);
    this.#total -= ended.length;
    this.#writes.delete(id);
    this.#writes.set(id, recent);
    return recent;
  }

  /** Nothing if the writes of the credential have been dropped, and counted off, meanwhile. */
  #remove(id: string, at: number): void {
    const recent = this.#writes.get(id);
    const place = recent?.lastIndexOf(at) ?? -1;
    if (place === -1) return;
    recent!.splice(place, 1);
    this.#total -= 1;
  }

  #forgetOldest(): void {
    for (const [id, { length }] of this.#writes) {
      if (this.#writes.size <= MAX_CREDENTIALS && this.#total <= MAX_WRITES) return;
      this.#writes.delete(id);
      this.#total -= length;
    }
  }
}

function tooMany(waitMs: number): DomainError {
  return new DomainError('over_rate', undefined, { retryAfter: Math.ceil(waitMs / 1000) });
}
