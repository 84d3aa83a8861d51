import { randomUUID } from 'node:crypto';
import type { RecordType } from '../../dns/rdata.ts';
import type { Clock } from '../clock.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import { formatRname } from './mailbox.ts';
import type { Zone } from './zone.ts';

/** What the operator's options say of the apex of every zone. Times are seconds. */
export interface ApexSettings {
  readonly nameServers: readonly string[];
  /** The refresh time is drawn between these two, so that secondaries do not all ask at once. */
  readonly soaRefreshMin: number;
  readonly soaRefreshMax: number;
  readonly soaRetry: number;
  readonly soaExpire: number;
  readonly soaMinimum: number;
}

/** A refresh time out of the settings' span that stays the same for one zone. */
function refreshTime(zone: Zone, settings: ApexSettings): number {
  const span = settings.soaRefreshMax - settings.soaRefreshMin + 1;
  return settings.soaRefreshMin + (Number.parseInt(zone.id.slice(0, 8), 16) % span);
}

/** The SOA's rdata (RFC 1035, section 3.3.13) as the zone stands. */
export function soaRdata(zone: Zone, settings: ApexSettings): string {
  const { soaRetry, soaExpire, soaMinimum } = settings;
  const timers = [refreshTime(zone, settings), soaRetry, soaExpire, soaMinimum].join(' ');
  return `${settings.nameServers[0]} ${formatRname(zone.email, zone.name)} ${zone.serial} ${timers}`;
}

/** The two recordsets that every zone is made with, the SOA a moment before the NS, so that lists begin with it. */
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
    description: null,
    managed: true,
    version: 1,
    createdAt,
    updatedAt: null,
  });
  return [
    managed('SOA', [soaRdata(zone, settings)], zone.createdAt),
    managed('NS', settings.nameServers, clock.now()),
  ];
}
