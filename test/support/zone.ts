import { randomUUID } from 'node:crypto';
import { canonicalName } from '../../src/dns/names.ts';
import { systemClock } from '../../src/model/clock.ts';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import type { Zone } from '../../src/model/zones/zone.ts';

/** The default pool as a zone knows it, before it has name servers. */
export const DEFAULT_POOL = { id: DEFAULT_POOL_ID, nameServers: null, publishes: false } as const;

const clock = systemClock();

/** An empty zone, for what writes to the store itself. */
export function emptyZone(name: string, more: Partial<Zone> = {}): Zone {
  return {
    id: randomUUID(),
    name: canonicalName(name),
    projectId: 'shop',
    pool: DEFAULT_POOL,
    movesTo: null,
    type: 'PRIMARY',
    masters: [],
    isAwaited: false,
    email: 'a@example.org',
    ttl: 60,
    soa: null,
    serial: 1,
    status: 'ACTIVE',
    action: 'NONE',
    description: null,
    protection: null,
    attributes: {},
    version: 1,
    recordsets: 0,
    records: 0,
    bytes: 0,
    notified: '',
    guardrails: null,
    createdAt: clock.now(),
    updatedAt: null,
    transferredAt: null,
    shared: false,
    ...more,
  };
}
