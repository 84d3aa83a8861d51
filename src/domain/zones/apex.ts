import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { RecordType } from '../../dns/record-types.ts';
import { type Clock, later, notBefore } from '../../model/clock.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { formatRname } from '../../model/zones/mailbox.ts';
import type { SoaTimers } from '../../model/zones/soa-timers.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** Settings for the apex of every zone. Times are in seconds. */
export interface ApexSettings {
  readonly nameServers: readonly string[];
  /** Range of the refresh time. It varies by zone, so that secondaries do not all refresh at once. */
  readonly soaRefreshMin: number;
  readonly soaRefreshMax: number;
  readonly soaRetry: number;
  readonly soaExpire: number;
  readonly soaMinimum: number;
}

/** A refresh time within the configured range, constant for each zone. */
function refreshTime(zone: Pick<Zone, 'id'>, settings: ApexSettings): number {
  const span = settings.soaRefreshMax - settings.soaRefreshMin + 1;
  return settings.soaRefreshMin + (Number.parseInt(zone.id.slice(0, 8), 16) % span);
}

/** The timers in the SOA of a primary zone: its own, or the configured ones. */
export function timersOf(zone: Pick<Zone, 'id' | 'soa'>, settings: ApexSettings): SoaTimers {
  const { soaRetry: retry, soaExpire: expire, soaMinimum: minimum } = settings;
  return zone.soa ?? { refresh: refreshTime(zone, settings), retry, expire, minimum };
}

/** The timers to store with a new zone; null if the settings already yield them. */
export function ownTimers(timers: SoaTimers, settings: ApexSettings): SoaTimers | null {
  const { refresh, retry, expire, minimum } = timers;
  const { soaRefreshMin, soaRefreshMax, soaRetry, soaExpire, soaMinimum } = settings;
  const isOfOptions =
    refresh >= soaRefreshMin &&
    refresh <= soaRefreshMax &&
    retry === soaRetry &&
    expire === soaExpire &&
    minimum === soaMinimum;
  return isOfOptions ? null : { refresh, retry, expire, minimum };
}

/** The targets of the NS records at the zone's apex. */
export function nameServersOf(zone: Pick<Zone, 'pool'>, settings: ApexSettings): readonly string[] {
  return zone.pool.nameServers ?? settings.nameServers;
}

/** The rdata of the zone's current SOA (RFC 1035, section 3.3.13). */
export function soaRdata(zone: Zone, settings: ApexSettings): string {
  const { refresh, retry, expire, minimum } = timersOf(zone, settings);
  const timers = [refresh, retry, expire, minimum].join(' ');
  return `${nameServersOf(zone, settings)[0]} ${formatRname(zone.email, zone.name)} ${zone.serial} ${timers}`;
}

/** In milliseconds. */
const A_MICROSECOND = 0.001;

/** The recordset of a deleted zone that has been restored, with what the zone has now. */
export function restoredRecordset(
  former: Recordset,
  { records, projectId }: Pick<Recordset, 'records' | 'projectId'>,
  now: string,
): Recordset {
  if (former.type === 'SOA' || isDeepStrictEqual(former.records, records))
    return { ...former, records, projectId };
  const updatedAt = notBefore(now, former.createdAt, former.updatedAt);
  return { ...former, records, projectId, version: former.version + 1, updatedAt };
}

/** The two recordsets of every new zone. The SOA is one microsecond older than the NS, so that lists start with it. */
export function apexRecordsets(
  zone: Zone,
  settings: ApexSettings,
  clock: Clock,
): readonly [Recordset, Recordset] {
  const managed = (type: RecordType, records: readonly string[], createdAt: string): Recordset => ({
    id: randomUUID(),
    zoneId: zone.id,
    projectId: zone.projectId,
    name: zone.name,
    type,
    ttl: null,
    records,
    spellings: {},
    bytes: 0,
    description: null,
    protection: null,
    expiresAt: null,
    managed: true,
    version: 1,
    createdAt,
    updatedAt: null,
  });
  return [
    managed('SOA', [soaRdata(zone, settings)], zone.createdAt),
    managed(
      'NS',
      nameServersOf(zone, settings),
      notBefore(clock.now(), later(zone.createdAt, A_MICROSECOND)),
    ),
  ];
}
