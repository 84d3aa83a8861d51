/** Requests with placeholders for what two alike copies of the state call differently. */
import { ALL_ZONES, fullName, NAMES, type Place } from './alphabet.ts';
import type { Drawing } from './drawing.ts';

/** A request with `LABEL` in names, and placeholders such as `{zone:KEY}` for ids. */
export interface DrawnRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Draws one kind of request, and how often that kind is drawn. */
export type RequestKind = readonly [number, (drawing: Drawing) => DrawnRequest];

export const idOf = ({ key }: Place['zone']): string => `{zone:${key}}`;
export const recordsetId = ({ zone, name, type }: Place): string => `{recordset:${zone.key}:${name}:${type}}`;
export const pathOf = (place: Place): string =>
  `/v2/zones/${idOf(place.zone)}/recordsets/${recordsetId(place)}`;
export const anyZone = (drawing: Drawing): string => idOf(drawing.zone(ALL_ZONES));

const ACTIONS = ['create', 'upsert', 'upsert', 'replace', 'add', 'remove', 'delete'];

function drawChange(drawing: Drawing, zone: Place['zone']): object {
  const { random, marks, scope } = drawing;
  const place = drawing.place([zone]);
  const name = fullName(zone, place.name);
  const { type } = place;
  const action = random.pick(ACTIONS);
  // Without a type it means what the credential sees at the name, which another one may not mean.
  const seesAll = (scope.names ?? scope.types) === undefined;
  if (action === 'delete') return seesAll && random.chance(0.5) ? { action, name } : { action, name, type };
  if (action === 'remove') return { action, name, type: 'TXT', records: [`"${marks.pick(random)}"`] };
  return { action, name, type, records: [marks.recordAt(place)] };
}

export function changeSet(drawing: Drawing, isDry: boolean): DrawnRequest {
  const zone = drawing.zone();
  const count = 1 + drawing.random.below(3);
  const changes = Array.from({ length: count }, () => drawChange(drawing, zone));
  return { method: 'POST', path: `/v2/zones/${idOf(zone)}/changes`, body: { changes, dry_run: isDry } };
}

export function contents(drawing: Drawing, isDry: boolean): DrawnRequest {
  const { random, marks } = drawing;
  const zone = drawing.zone();
  const names = [...new Set([random.pick(NAMES), random.pick(NAMES)])];
  const recordsets = names.map((name) => {
    const type = random.pick(['A', 'TXT']);
    return { name: fullName(zone, name), type, records: [marks.recordAt({ zone, name, type })] };
  });
  const path = `/v2/zones/${idOf(zone)}/contents${isDry ? '?dry_run=true' : ''}`;
  return { method: 'PUT', path, body: { recordsets } };
}

export function reverting(drawing: Drawing, isDry: boolean): DrawnRequest {
  const { key } = drawing.zone();
  const change = `{change:${key}:${drawing.random.below(3)}}`;
  return {
    method: 'POST',
    path: `/v2/zones/{zone:${key}}/changes/${change}/revert`,
    body: { dry_run: isDry },
  };
}
