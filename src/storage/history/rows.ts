/** Changes of zones as rows. */
import type { Selectable } from 'kysely';
import type { PastChange, WrittenChange, ZoneFacts } from '../../model/history/past-change.ts';
import type { EffectsOfChange } from '../../model/history/store.ts';
import type { JournalBounds } from '../../model/publication/store.ts';
import type { Schema } from '../database/schema.ts';

type Row = Selectable<Schema['zone_changes']>;
/** A row without what the change did to recordsets. */
export type ChangeRow = Omit<Row, 'effects'> & { readonly whole: number | boolean };
/** `bytes_until` is computed as the row is inserted. */
export type NewChangeRow = Omit<Row, 'bytes_until'>;

/** Approximate bytes of a row besides its texts. */
const BYTES_BESIDE = 200;

type ChangedFact<T> = readonly [before: T, after: T] | readonly [both: T];
type ZoneText = { readonly [K in keyof ZoneFacts]: ChangedFact<ZoneFacts[K]> };

function pairOf<T>(before: T, after: T): ChangedFact<T> {
  return before === after ? [after] : [before, after];
}

function zoneText(before: ZoneFacts, after: ZoneFacts): string {
  const text: ZoneText = {
    ttl: pairOf(before.ttl, after.ttl),
    email: pairOf(before.email, after.email),
    projectId: pairOf(before.projectId, after.projectId),
    soa: pairOf(before.soa, after.soa),
  };
  return JSON.stringify(text);
}

/** The properties of a zone before and after a change. */
export function zoneFactsIn(text: string): Pick<PastChange, 'before' | 'after'> {
  const { ttl, email, projectId, soa }: ZoneText = JSON.parse(text);
  return {
    before: { ttl: ttl[0], email: email[0], projectId: projectId[0], soa: soa[0] },
    after: { ttl: ttl.at(-1)!, email: email.at(-1)!, projectId: projectId.at(-1)!, soa: soa.at(-1)! },
  };
}

/** The approximate size of a row. */
export function textsSize({
  actor,
  zone,
  effects,
  description,
}: Pick<Row, 'actor' | 'zone' | 'effects' | 'description'>): number {
  const texts = [actor, zone, effects ?? '', description ?? ''];
  return texts.reduce((sum, text) => sum + text.length, BYTES_BESIDE);
}

export function toChangeRow(change: WrittenChange, bounds: JournalBounds): NewChangeRow {
  const { summary, effects, description } = change;
  const actor = JSON.stringify(change.actor);
  const zone = zoneText(change.before, change.after);
  return {
    id: change.id,
    zone_id: change.zoneId,
    project_id: change.projectId,
    number: change.number,
    from_serial: change.fromSerial,
    to_serial: change.toSerial,
    at: change.at,
    door: change.door,
    actor,
    description,
    created: summary.create,
    updated: summary.update,
    deleted: summary.delete,
    zone,
    effects,
    kept: change.isKept ? 1 : 0,
    size: textsSize({ actor, zone, effects, description }),
    difference_bytes: change.differenceBytes,
    served_after: change.number - bounds.changes,
    served_bytes: bounds.bytes,
  };
}

export function changeFromRow(row: ChangeRow): PastChange {
  return {
    id: row.id,
    zoneId: row.zone_id,
    projectId: row.project_id,
    number: row.number,
    fromSerial: row.from_serial,
    toSerial: row.to_serial,
    at: row.at,
    door: row.door,
    actor: JSON.parse(row.actor),
    description: row.description,
    summary: { create: row.created, update: row.updated, delete: row.deleted },
    ...zoneFactsIn(row.zone),
    isWhole: Boolean(row.whole),
  };
}

export function changeWithEffects(row: Row): EffectsOfChange {
  return { ...changeFromRow({ ...row, whole: row.effects !== null }), effects: row.effects };
}
