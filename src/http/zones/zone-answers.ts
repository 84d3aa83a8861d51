import { formatMaster } from '../../model/secondaries/master-address.ts';
import { TIMER_BOUNDS } from '../../model/zones/soa-timers.ts';
import type { Zone, ZoneAction } from '../../model/zones/zone.ts';
import { type SentAs, sent } from '../edge/sent.ts';

/** Status of zones and recordsets. */
export const STATUS = sent.choice(['ACTIVE', 'PENDING', 'ERROR']);
export const ACTION = sent.choice(['CREATE', 'UPDATE', 'DELETE', 'NONE']);

const timers = sent.titled(
  'SoaTimers',
  sent.object({
    refresh: sent.integer({ ...TIMER_BOUNDS.refresh, description: 'In seconds.', examples: [3600] }),
    retry: sent.integer({ ...TIMER_BOUNDS.retry, description: 'In seconds.', examples: [600] }),
    expire: sent.integer({
      ...TIMER_BOUNDS.expire,
      description: 'In seconds; at least `refresh` and `retry` together.',
      examples: [2419200],
    }),
    minimum: sent.integer({
      ...TIMER_BOUNDS.minimum,
      description: 'How long a resolver remembers that a name does not exist, in seconds.',
      examples: [300],
    }),
  }),
);

/** A zone in wire format. */
export const shownZone = sent.titled(
  'Zone',
  sent.object(
    {
      id: sent.id,
      name: sent.text({ examples: ['example.org.'] }),
      email: sent.text({ examples: ['hostmaster@example.org'] }),
      ttl: sent.integer({ description: 'In seconds.', examples: [3600] }),
      serial: sent.integer({ examples: [1795253400] }),
      status: STATUS,
      action: ACTION,
      description: sent.nullable(sent.text()),
      type: sent.choice(['PRIMARY', 'SECONDARY']),
      masters: sent.list(sent.text({ examples: ['192.0.2.53:53'] })),
      attributes: sent.dictionary(sent.text()),
      version: sent.integer({ minimum: 1 }),
      project_id: sent.projectId,
      pool_id: sent.id,
      created_at: sent.time,
      updated_at: sent.nullable(sent.time),
      transferred_at: sent.nullable(sent.time),
      shared: sent.flag,
      links: sent.object({ self: sent.link }),
    },
    { soa: timers },
  ),
);

/**
 * @param change action that the request has started; the response shows it as PENDING, even if it has already finished
 */
export function zoneToWire(zone: Zone, base: string, change?: ZoneAction): SentAs<typeof shownZone> {
  return {
    id: zone.id,
    name: zone.name,
    email: zone.email,
    ttl: zone.ttl,
    serial: zone.serial,
    status: change ? 'PENDING' : zone.status,
    action: change ?? zone.action,
    description: zone.description,
    type: zone.type,
    masters: zone.masters.map(formatMaster),
    attributes: zone.attributes,
    version: zone.version,
    project_id: zone.projectId,
    pool_id: zone.pool.id,
    created_at: zone.createdAt,
    updated_at: zone.updatedAt,
    transferred_at: zone.transferredAt,
    shared: zone.shared,
    ...(zone.soa && { soa: zone.soa }),
    links: { self: `${base}/v2/zones/${zone.id}` },
  };
}
