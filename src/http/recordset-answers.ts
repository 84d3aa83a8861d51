/** Recordsets in wire format. */
import type { WrittenRecordset } from '../domain/recordsets/written-recordset.ts';
import { type ListedRecordset, spelledRecords } from '../model/recordsets/recordset.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { shownWarnings } from './guardrails.ts';
import { NAME_EXAMPLE, TYPE_PATTERN } from './recordset-bodies.ts';
import { protectionToWire, shownProtection } from './zones/protection.ts';
import { ACTION, STATUS } from './zones/zone-answers.ts';

export const shownRecordset = responseSchema.titled(
  'Recordset',
  responseSchema.object(
    {
      id: responseSchema.id,
      zone_id: responseSchema.id,
      zone_name: responseSchema.text({ examples: ['example.org.'] }),
      project_id: responseSchema.projectId,
      name: responseSchema.text({ examples: [NAME_EXAMPLE] }),
      type: responseSchema.text({ pattern: TYPE_PATTERN, examples: ['A'] }),
      records: responseSchema.list(responseSchema.text({ examples: ['192.0.2.1'] })),
      ttl: responseSchema.nullable(
        responseSchema.integer({
          description: 'In seconds; null for the zone default.',
          examples: [3600],
        }),
      ),
      description: responseSchema.nullable(responseSchema.text()),
      status: STATUS,
      action: ACTION,
      version: responseSchema.integer({ minimum: 1 }),
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      hidden_by: responseSchema.text({
        description: 'The child zone that name servers use for this name.',
        examples: ['dept.example.org.'],
      }),
      ...shownProtection,
      expires_at: responseSchema.time,
      warnings: shownWarnings,
    },
  ),
);

export function linkOf({ zoneId, id }: { zoneId: string; id: string }, base: string): string {
  return `${base}/v2/zones/${zoneId}/recordsets/${id}`;
}

/**
 * Converts a recordset to wire format.
 * @param change action that the request has started; the response shows it as PENDING, even if it has already finished
 */
export function recordsetToWire(
  recordset: ListedRecordset,
  base: string,
  change?: 'CREATE' | 'UPDATE' | 'DELETE',
): ResponseBody<typeof shownRecordset> {
  return {
    id: recordset.id,
    zone_id: recordset.zoneId,
    zone_name: recordset.zoneName,
    project_id: recordset.projectId,
    name: recordset.name,
    type: recordset.type,
    records: spelledRecords(recordset),
    ttl: recordset.ttl,
    description: recordset.description,
    status: change ? 'PENDING' : recordset.status,
    action: change ?? recordset.action,
    version: recordset.version,
    created_at: recordset.createdAt,
    updated_at: recordset.updatedAt,
    ...(recordset.hiddenBy && { hidden_by: recordset.hiddenBy }),
    ...protectionToWire(recordset.protection),
    ...(recordset.expiresAt !== null && { expires_at: recordset.expiresAt }),
    links: { self: linkOf(recordset, base) },
  };
}

/** A recordset after a write, with what guardrails say of it. */
export function writtenToWire(
  { recordset, warnings }: WrittenRecordset,
  base: string,
  change: 'CREATE' | 'UPDATE' | 'DELETE',
): ResponseBody<typeof shownRecordset> {
  const wire = recordsetToWire(recordset, base, change);
  return warnings.length === 0 ? wire : { ...wire, warnings };
}
