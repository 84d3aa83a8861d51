/** Keeps what a deleted zone had, so that it can be restored. */
import { randomUUID } from 'node:crypto';
import { notBefore } from '../../model/clock.ts';
import type { FormerApex, KeptDeletedZone } from '../../model/deleted-zones/deleted-zone.ts';
import { EffectsWriter } from '../../model/history/effects-text.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import { NOTHING, sum, type Totals } from '../../model/zones/totals.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** Characters of a part, before the last of them are deflated. */
const PART = 131_072;

/** Writes the recordsets of a zone in parts as they come, and adds them up. */
class KeptContents {
  readonly id = randomUUID();
  readonly #tx: Transaction;
  readonly #managed = new Map<string, Recordset>();
  #part = new EffectsWriter(Number.POSITIVE_INFINITY);
  #parts = 0;
  totals: Totals = NOTHING;
  largest = 0;
  bytes = 0;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  get apex(): FormerApex | undefined {
    const [soa, ns] = [this.#managed.get('SOA'), this.#managed.get('NS')];
    return soa && ns && { soa, ns };
  }

  add(recordset: Recordset): void {
    if (recordset.managed) {
      this.#managed.set(recordset.type, recordset);
      return;
    }
    const { length: records } = recordset.records;
    this.totals = sum(this.totals, { recordsets: 1, records, bytes: recordset.bytes });
    this.largest = Math.max(this.largest, records);
    this.#part.add({ before: recordset, after: undefined });
    if (this.#part.size > PART) this.flush();
  }

  flush(): void {
    if (this.#part.size === 0) return;
    const text = this.#part.text()!;
    this.#tx.deletedZones.insertContents(this.id, this.#parts, text);
    this.#part = new EffectsWriter(Number.POSITIVE_INFINITY);
    this.#parts += 1;
    this.bytes += text.length;
  }
}

/** Removes the recordsets of a zone, and keeps them with it as a deleted zone. Those of a secondary its masters have. */
export async function removeAndKeep(tx: Transaction, zone: Zone, now: string): Promise<void> {
  const contents = new KeptContents(tx);
  if (zone.type === 'SECONDARY') await tx.recordsets.removeAll(zone.id);
  else {
    for await (const batch of tx.recordsets.takeAll(zone.id)) for (const one of batch) contents.add(one);
    contents.flush();
  }
  const { id, name, projectId, type, serial, pool } = zone;
  const { email, ttl, soa, description, attributes, masters, guardrails } = zone;
  const { version, createdAt, updatedAt, transferredAt } = zone;
  const deletedAt = notBefore(now, createdAt, updatedAt);
  const { totals, largest, apex, bytes } = contents;
  const { recordsets } = type === 'SECONDARY' ? zone : totals;
  const kept: KeptDeletedZone = {
    ...{ id, name, projectId, type, serial, recordsets, deletedAt, totals, largest },
    contentsId: contents.id,
    former: {
      ...{ email, ttl, soa, description, attributes, masters, guardrails },
      ...{ version, createdAt, updatedAt, transferredAt, poolId: pool.id, apex },
    },
  };
  tx.deletedZones.insert(kept, bytes);
}
