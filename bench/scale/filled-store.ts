/** A store with very many zones, which the only server of the pool has, as members of its catalog. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { addBulkZones, BULK_SERIAL } from '../../test/support/bulk-zones.ts';
import { inStoreOf, isOnPostgres } from '../../test/support/store.ts';
import { Partner } from '../publication/partner.ts';
import { KEY, makeKey, NAME_SERVER, poolFile } from '../publication/stage.ts';
import type { Upstream } from '../publication/transfer.ts';
import { adminTokenOf, command, type Place, start, stop } from './program.ts';

const POLL_MS = 200;

export interface FilledStore {
  readonly upstream: Upstream;
  /** The server of the pool: it has every zone that was written in bulk. */
  readonly partner: Partner;
  /** How long the index of names took, in seconds. */
  readonly indexedIn: number;
}

/** @returns the seconds until the index of names is complete */
async function untilIndexed(dataDir: string): Promise<number> {
  const begun = performance.now();
  const question = isOnPostgres()
    ? `select 1 from pg_index where indexrelid = to_regclass('zones_name_trigrams') and indisvalid`
    : 'select 1 from zone_search where is_complete = 1 and up_to >= (select coalesce(max(rowid), 0) from zones)';
  while ((await inStoreOf(dataDir, question)).length === 0) await delay(POLL_MS);
  return (performance.now() - begun) / 1000;
}

/** The pool publishes before there are zones, so that nothing is left to reconcile. */
async function publishing(place: Place): Promise<Pick<FilledStore, 'upstream' | 'partner'>> {
  const service = await start(place);
  const secret = Buffer.from(await makeKey({ url: service.url, admin: adminTokenOf(place) }), 'base64');
  const key = { name: `${KEY}.`, algorithm: 'hmac-sha256', secret } as const;
  const partner = await Partner.open(key, () => {}, BULK_SERIAL);
  const file = join(place.dataDir, 'pools.yaml');
  writeFileSync(file, poolFile([{ host: '127.0.0.1', port: partner.port }]));
  await command(place, 'pool', 'apply', file, '--yes');
  const isDone = `select 1 from pools where reconciled_for is not null and reconciled_to is null
    and reorder_after is null and apex_after is null`;
  while ((await inStoreOf(place.dataDir, isDone)).length === 0) await delay(POLL_MS);
  await stop(service);
  return { upstream: { port: place.primaryPort, key }, partner };
}

export async function fillStore(place: Place, zones: number): Promise<FilledStore> {
  mkdirSync(place.dataDir, { mode: 0o700 });
  const published = await publishing(place);
  await addBulkZones(place.dataDir, zones, {
    isPublished: true,
    isInCatalog: true,
    nameServer: NAME_SERVER,
  });
  // The service indexes what was written in bulk, and looks at it once.
  const service = await start(place);
  try {
    const indexedIn = await untilIndexed(place.dataDir);
    if (isOnPostgres()) await inStoreOf(place.dataDir, 'vacuum analyze');
    return { ...published, indexedIn };
  } finally {
    await stop(service);
  }
}
