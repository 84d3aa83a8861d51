import { formatMaster } from '../../model/secondaries/master-address.ts';
import { TIMER_BOUNDS } from '../../model/zones/soa-timers.ts';
import type { Zone, ZoneAction } from '../../model/zones/zone.ts';
import { type ResponseBody, responseSchema } from '../edge/response-schema.ts';
import { protectionToWire, shownProtection } from './protection.ts';

/** Status of zones and recordsets. */
export const STATUS = responseSchema.choice(['ACTIVE', 'PENDING', 'ERROR']);
export const ACTION = responseSchema.choice(['CREATE', 'UPDATE', 'DELETE', 'NONE']);

const timers = responseSchema.titled(
  'SoaTimers',
  responseSchema.object({
    refresh: responseSchema.integer({
      ...TIMER_BOUNDS.refresh,
      description: 'In seconds.',
      examples: [3600],
    }),
    retry: responseSchema.integer({ ...TIMER_BOUNDS.retry, description: 'In seconds.', examples: [600] }),
    expire: responseSchema.integer({
      ...TIMER_BOUNDS.expire,
      description: 'In seconds; at least `refresh` and `retry` together.',
      examples: [2419200],
    }),
    minimum: responseSchema.integer({
      ...TIMER_BOUNDS.minimum,
      description: 'Negative-caching TTL for resolvers, in seconds.',
      examples: [300],
    }),
  }),
);

/** A zone in wire format. */
export const shownZone = responseSchema.titled(
  'Zone',
  responseSchema.object(
    {
      id: responseSchema.id,
      name: responseSchema.text({ examples: ['example.org.'] }),
      email: responseSchema.text({ examples: ['hostmaster@example.org'] }),
      ttl: responseSchema.integer({ description: 'In seconds.', examples: [3600] }),
      serial: responseSchema.integer({ examples: [1795253400] }),
      status: STATUS,
      action: ACTION,
      description: responseSchema.nullable(responseSchema.text()),
      type: responseSchema.choice(['PRIMARY', 'SECONDARY']),
      masters: responseSchema.list(responseSchema.text({ examples: ['192.0.2.53:53'] })),
      attributes: responseSchema.dictionary(responseSchema.text()),
      version: responseSchema.integer({ minimum: 1 }),
      project_id: responseSchema.projectId,
      pool_id: responseSchema.id,
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      transferred_at: responseSchema.nullable(responseSchema.time),
      shared: responseSchema.flag,
      links: responseSchema.object({ self: responseSchema.link }),
    },
    { soa: timers, ...shownProtection },
  ),
);

/**
 * @param change action that the request has started; the response shows it as PENDING, even if it has already finished
 */
export function zoneToWire(zone: Zone, base: string, change?: ZoneAction): ResponseBody<typeof shownZone> {
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
    ...protectionToWire(zone.protection),
    links: { self: `${base}/v2/zones/${zone.id}` },
  };
}
