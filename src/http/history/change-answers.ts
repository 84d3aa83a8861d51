import { actorJson } from '../../domain/events/event-json.ts';
import type { ShownChange } from '../../domain/history/change-lists.ts';
import { stateOf } from '../../model/changes/change-set.ts';
import { DOORS } from '../../model/history/change-source.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import { type ResponseBody, responseSchema } from '../edge/response-schema.ts';
import { STATUS } from '../zones/zone-answers.ts';

const count = responseSchema.integer({ minimum: 0 });
const known = responseSchema.nullable(responseSchema.text());
const serial = responseSchema.integer({ minimum: 0, examples: [1795576345] });

const state = responseSchema.object({
  ttl: responseSchema.nullable(
    responseSchema.integer({ description: 'In seconds; null for the zone default.' }),
  ),
  records: responseSchema.list(responseSchema.text({ examples: ['192.0.2.1'] })),
  description: known,
});

/** What a change did to one recordset. */
export const shownEffect = responseSchema.titled(
  'PastRecordsetEffect',
  responseSchema.object({
    effect: responseSchema.choice(['create', 'update', 'delete']),
    name: responseSchema.text({ examples: ['www.example.org.'] }),
    type: responseSchema.text({ examples: ['A'] }),
    recordset_id: responseSchema.id,
    before: responseSchema.nullable(state),
    after: responseSchema.nullable(state),
  }),
);

const CHANGE = {
  id: responseSchema.id,
  zone_id: responseSchema.id,
  at: responseSchema.time,
  from_serial: responseSchema.nullable(serial),
  to_serial: serial,
  status: STATUS,
  door: responseSchema.choice(DOORS, { description: 'How the change came in.' }),
  actor: responseSchema.object(
    {
      kind: responseSchema.text({ examples: ['request'] }),
      project_id: responseSchema.nullable(responseSchema.projectId),
    },
    { user_id: known, request_id: known, address: known },
  ),
  description: known,
  summary: responseSchema.object({ create: count, update: count, delete: count }),
};
const self = { self: responseSchema.link };
const recordsets = responseSchema.list(shownEffect);

export const shownChange = responseSchema.titled(
  'ZoneChange',
  responseSchema.object({ ...CHANGE, links: responseSchema.object(self) }, { recordsets }),
);
/** One change, with a page of what it did. */
export const shownChangePage = responseSchema.titled(
  'ZoneChangeRecordsets',
  responseSchema.object(
    { ...CHANGE, links: responseSchema.object(self, { next: responseSchema.link }) },
    { recordsets },
  ),
);

export function effectToWire({ before, after }: RecordsetEffect): ResponseBody<typeof shownEffect> {
  const { name, type, id } = (after ?? before)!;
  const changed = before === undefined ? 'create' : 'update';
  return {
    effect: after === undefined ? 'delete' : changed,
    name,
    type,
    recordset_id: id,
    before: before === undefined ? null : stateOf(before),
    after: after === undefined ? null : stateOf(after),
  };
}

export function changeToWire(change: ShownChange, base: string): ResponseBody<typeof shownChange> {
  return {
    id: change.id,
    zone_id: change.zoneId,
    at: change.at,
    from_serial: change.fromSerial,
    to_serial: change.toSerial,
    status: change.status,
    door: change.door,
    actor: actorJson(change.actor),
    description: change.description,
    summary: change.summary,
    ...(change.recordsets === undefined ? {} : { recordsets: change.recordsets.map(effectToWire) }),
    links: { self: `${base}/v2/zones/${change.zoneId}/changes/${change.id}` },
  };
}
