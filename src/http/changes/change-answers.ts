/** What a set of changes does, in wire format. */
import type { MadeChange } from '../../domain/changes/execution.ts';
import type { ChangeOutcome, ChangeRefusal, Effect, RecordsetState } from '../../model/changes/change-set.ts';
import { mapInTurns } from '../../runtime/array-turns.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { answerTo } from '../edge/errors.ts';
import { type ResponseBody, responseSchema } from '../edge/response-schema.ts';
import { shownWarnings } from '../guardrails.ts';
import { NAME_EXAMPLE } from '../recordset-bodies.ts';

const schema = responseSchema;

const counter = schema.integer({ minimum: 0 });
const refusal = schema.nullable(
  schema.object({
    code: schema.integer({ examples: [409] }),
    type: schema.text({ examples: ['duplicate_recordset'] }),
    message: schema.text({ examples: ['The zone already has a recordset with this name and type.'] }),
  }),
);
const state = schema.nullable(
  schema.object({
    ttl: schema.nullable(schema.integer({ description: 'In seconds; null for the zone default.' })),
    records: schema.list(schema.text({ examples: ['192.0.2.1'] })),
    description: schema.nullable(schema.text()),
  }),
);
const usage = schema.object({
  before: counter,
  after: counter,
  limit: schema.integer({ minimum: -1, description: '-1 for no limit.' }),
});

const EFFECTS = ['create', 'update', 'delete', 'unchanged'] as const;

const effect = schema.titled(
  'RecordsetEffect',
  schema.object({
    effect: schema.choice(EFFECTS),
    name: schema.text({ examples: [NAME_EXAMPLE] }),
    type: schema.nullable(schema.text({ examples: ['A'] })),
    recordset_id: schema.nullable(schema.id),
    positions: schema.list(
      schema.integer({ minimum: 0, description: 'Position of a change in the request.' }),
    ),
    before: state,
    after: state,
    refusal,
    warnings: shownWarnings,
  }),
);

export const shownOutcome = schema.titled(
  'ChangeSetOutcome',
  schema.object(
    {
      id: schema.nullable(schema.id),
      zone_id: schema.id,
      status: schema.choice(['PLANNED', 'REFUSED', 'UNCHANGED', 'PENDING', 'ACTIVE', 'ERROR']),
      plan: schema.nullable(
        schema.text({ description: 'Digest of the effects; null if a refusal leaves them undecided.' }),
      ),
      from_serial: counter,
      to_serial: schema.nullable(counter),
      summary: schema.object({ create: counter, update: counter, delete: counter, unchanged: counter }),
      changes: schema.list(effect),
      refusal,
      warnings: shownWarnings,
      links: schema.nullable(schema.object({ self: schema.link })),
    },
    {
      usage: schema.object({ zone_recordsets: usage, zone_records: usage }),
      omitted: schema.integer({ minimum: 1, description: 'Number of recordsets that are not listed.' }),
      ignored: schema.integer({
        minimum: 0,
        description:
          'For contents: number of given records that are left alone, since the service manages them or they lie outside the zone.',
      }),
    },
  ),
);

/** @param accessDeniedStatus status for an authenticated caller without permission */
function refusalToWire(refused: ChangeRefusal | null, accessDeniedStatus: number) {
  if (refused === null) return null;
  const { kind, message } = refused;
  const { status, type } = answerTo(kind);
  return { code: kind === 'access_denied' ? accessDeniedStatus : status, type, message };
}

function stateToWire(shown: RecordsetState | null) {
  return shown && { ttl: shown.ttl, records: shown.records, description: shown.description };
}

function effectToWire(one: Effect, accessDeniedStatus: number): ResponseBody<typeof effect> {
  return {
    effect: one.effect,
    name: one.name,
    type: one.type,
    recordset_id: one.recordsetId,
    positions: one.positions,
    before: stateToWire(one.before),
    after: stateToWire(one.after),
    refusal: refusalToWire(one.refusal, accessDeniedStatus),
    warnings: one.warnings,
  };
}

/** A change as made, by a set or by contents. */
export interface AnsweredChange extends Pick<MadeChange, 'outcome'> {
  readonly ignored?: number;
}

/** Converts an outcome to wire format. */
export function outcomeToWire(
  { outcome, ignored }: AnsweredChange,
  base: string,
  accessDeniedStatus: number,
): ResponseBody<typeof shownOutcome> {
  const { zoneId, changeId, effects, omitted }: ChangeOutcome = outcome;
  return {
    id: changeId,
    zone_id: zoneId,
    status: outcome.status,
    plan: outcome.plan,
    from_serial: outcome.fromSerial,
    to_serial: outcome.toSerial,
    summary: outcome.summary,
    changes: effects.map((one) => effectToWire(one, accessDeniedStatus)),
    ...(omitted > 0 && { omitted }),
    ...(ignored !== undefined && { ignored }),
    refusal: refusalToWire(outcome.refusal, accessDeniedStatus),
    warnings: outcome.warnings,
    ...(outcome.usage && { usage: outcome.usage }),
    links: changeId === null ? null : { self: `${base}/v2/zones/${zoneId}/changes/${changeId}` },
  };
}

/** The JSON text of an outcome in wire format, written in turns: it may list a thousand recordsets. */
export async function outcomeText(
  { outcome, ignored }: AnsweredChange,
  base: string,
  accessDeniedStatus: number,
  turns: TimeSlices,
): Promise<string> {
  const textOf = (one: Effect): string => JSON.stringify(effectToWire(one, accessDeniedStatus));
  const effects = await mapInTurns(outcome.effects, textOf, turns);
  const answered = { outcome: { ...outcome, effects: [] }, ...(ignored !== undefined && { ignored }) };
  const rest = JSON.stringify(outcomeToWire(answered, base, accessDeniedStatus));
  // The key comes first: within values, quotation marks are escaped.
  return rest.replace('"changes":[]', () => `"changes":[${effects.join(',')}]`);
}
