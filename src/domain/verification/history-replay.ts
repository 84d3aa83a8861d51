/** Takes the changes of a zone back, as a restore does. Remembers digests, not recordsets. */
import { createHash } from 'node:crypto';
import { effectsIn } from '../../model/history/effects-text.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import type { Finding } from '../../model/verification/stored.ts';
import type {
  HistoryVerificationReads,
  StoredChange,
  StoredState,
} from '../../model/verification/stored-history.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { groupBy } from '../../runtime/group-by.ts';

/** Findings about the changes of one zone. */
const MAX_FINDINGS = 10;
/** Recordsets named in a finding about a zone. */
const MAX_NAMED = 3;
/** Recordsets of one query. */
const NAMES = 500;
const DIGEST_BYTES = 12;

/** A recordset that is not there has no digest. */
type Digest = string | undefined;

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function stateDigest(state: StoredState | undefined): Digest {
  if (state === undefined) return undefined;
  const { id, ttl, records, spellings, description } = state;
  const text = JSON.stringify([id, ttl, records, spellings, description]);
  return digestOf(text).toString('base64', 0, DIGEST_BYTES);
}

interface TouchedRecordset {
  readonly name: StoredState['name'];
  readonly type: StoredState['type'];
  /** As the newest change left it. */
  readonly newest: Digest;
  /** As the oldest change seen so far found it. */
  found: Digest;
}

export class Replay {
  readonly #zone: Pick<Zone, 'id' | 'name'>;
  readonly #isMine: (number: number) => boolean;
  readonly #touched = new Map<string, TouchedRecordset>();
  readonly #findings: Finding[] = [];
  readonly #other: string[] = [];

  /** @param isMine decides by a number whether a recordset belongs to this pass */
  constructor(zone: Pick<Zone, 'id' | 'name'>, isMine: (number: number) => boolean) {
    this.#zone = zone;
    this.#isMine = isMine;
  }

  /** @returns false if the change cannot be taken back */
  takeBack({ change, effects }: StoredChange): boolean {
    if (effects === null) return false;
    try {
      for (const [key, effect] of this.#effectsIn(effects)) this.#take(key, effect, change.id);
      return change.fromSerial !== null;
    } catch {
      // It is reported with the change.
      return false;
    }
  }

  /** One for each recordset: one that a change both removed and added was what it removed. */
  #effectsIn(text: string): ReadonlyMap<string, RecordsetEffect> {
    const found = new Map<string, RecordsetEffect>();
    for (const effect of effectsIn(text, this.#zone.id)) {
      const { name, type, managed } = (effect.before ?? effect.after)!;
      const key = `${name} ${type}`;
      if (managed || !this.#isMine(digestOf(key).readUInt32BE(0))) continue;
      const { before } = found.get(key) ?? effect;
      found.set(key, { before, after: effect.after });
    }
    return found;
  }

  #take(key: string, { before, after }: RecordsetEffect, id: string): void {
    const { name, type } = (before ?? after)!;
    const known = this.#touched.get(key);
    const left = stateDigest(after);
    if (known === undefined) {
      this.#touched.set(key, { name, type, newest: left, found: stateDigest(before) });
      return;
    }
    if (known.found !== left)
      this.#report({
        about: 'change',
        id,
        fault: `It leaves ${key} otherwise than a later change found it.`,
      });
    known.found = stateDigest(before);
  }

  #report(finding: Finding): void {
    if (this.#findings.length < MAX_FINDINGS) this.#findings.push(finding);
  }

  /** What is wrong, also compared with the recordsets that the zone has. */
  async findings({ statesAt }: HistoryVerificationReads): Promise<readonly Finding[]> {
    const touched = [...groupBy(this.#touched.values(), ({ name }) => name)];
    for (let start = 0; start < touched.length; start += NAMES) {
      const part = touched.slice(start, start + NAMES);
      const present = await statesAt(
        this.#zone.id,
        part.map(([name]) => name),
      );
      const digests = new Map(present.map((state) => [`${state.name} ${state.type}`, state]));
      for (const one of part.flatMap(([, all]) => all))
        this.#compare(one, digests.get(`${one.name} ${one.type}`));
    }
    return [...this.#findings, ...this.#endFindings()];
  }

  #compare({ name, type, newest }: TouchedRecordset, present: StoredState | undefined): void {
    if (stateDigest(present) !== newest) this.#other.push(`${name} ${type}`);
  }

  /** A repair of the zone marks a gap, before which nothing can be read. */
  #endFindings(): readonly Finding[] {
    if (this.#other.length === 0) return [];
    const named = this.#other.sort().slice(0, MAX_NAMED).join(', ');
    const rest = this.#other.length > MAX_NAMED ? ` and ${this.#other.length - MAX_NAMED} more` : '';
    const fault = `Its history leads to other recordsets than it has: ${named}${rest}.`;
    return [{ about: 'zone', ...this.#zone, fault, isCounter: true }];
  }
}
