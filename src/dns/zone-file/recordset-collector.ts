import type { RecordType } from '../rdata.ts';
import type { ZoneFileRecordset } from './zone.ts';

interface Draft extends ZoneFileRecordset {
  ttl: number;
  readonly records: string[];
}

/** From how many records on a set finds duplicates, so that the work stays linear. */
const MANY = 16;

/**
 * Gathers records into recordsets. A record that is there already is left out, and a recordset whose records differ
 * in TTL gets the lowest of them (RFC 2181 sections 5 and 5.2).
 */
export class RecordsetCollector {
  readonly #drafts = new Map<string, Draft>();
  readonly #large = new Map<Draft, Set<string>>();
  #last: Draft | undefined;

  add(name: string, type: RecordType, ttl: number, rdata: string): void {
    const draft = this.#find(name, type, ttl);
    if (ttl < draft.ttl) draft.ttl = ttl;
    if (!this.#has(draft, rdata)) draft.records.push(rdata);
  }

  get recordsets(): readonly ZoneFileRecordset[] {
    return [...this.#drafts.values()];
  }

  #find(name: string, type: RecordType, ttl: number): Draft {
    if (this.#last?.name === name && this.#last.type === type) return this.#last;
    const key = `${name} ${type}`;
    let draft = this.#drafts.get(key);
    if (draft === undefined) {
      draft = { name, type, ttl, records: [] };
      this.#drafts.set(key, draft);
    }
    this.#last = draft;
    return draft;
  }

  #has(draft: Draft, rdata: string): boolean {
    if (draft.records.length < MANY) return draft.records.includes(rdata);
    let known = this.#large.get(draft);
    if (known === undefined) {
      known = new Set(draft.records);
      this.#large.set(draft, known);
    }
    if (known.has(rdata)) return true;
    known.add(rdata);
    return false;
  }
}
