/** Requests that change nothing, so that two credentials can send them one after the other. */
import { ALL_ZONES, fullName, LABEL, NAMES, TYPES } from './alphabet.ts';
import type { Drawing } from './drawing.ts';
import {
  anyZone,
  changeSet,
  contents,
  type DrawnRequest,
  idOf,
  pathOf,
  type RequestKind,
  recordsetId,
  reverting,
} from './requests.ts';

const ACTIONS = [
  ...['create', 'update', 'delete', 'plan', 'read'],
  ...['create_zone', 'update_zone', 'delete_zone', 'create_token'],
];
/** What no scope opens. */
const CLOSED = [
  '/v2/zones/ZONE/shares',
  '/v2/zones/tasks/transfer_requests',
  '/v2/zones/tasks/transfer_accepts',
  '/v2/tsigkeys',
  '/v2/quotas',
  '/v2/pools',
  '/v2/usage',
];
const OTHER_PROJECTS = [{ 'x-auth-all-projects': 'true' }, { 'x-auth-sudo-project-id': `other-${LABEL}` }];
const FORMS = ['application/json', 'text/dns'];

const get = (path: string, headers?: DrawnRequest['headers']): DrawnRequest => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
});

/** Placeholders stay as they are. */
const encoded = (text: string): string => (/^\{.*\}$/.test(text) ? text : encodeURIComponent(text));

/** Some of the parameters, and often the size of a page. */
function query({ random }: Drawing, parameters: Readonly<Record<string, () => string>>): string {
  const drawn = Object.entries(parameters)
    .filter(() => random.chance(0.15))
    .map(([name, draw]) => `${name}=${encoded(draw())}`);
  if (random.chance(0.4)) drawn.push(`limit=${random.pick([1, 2, 5, 1000])}`);
  return drawn.length === 0 ? '' : `?${drawn.join('&')}`;
}

const sorting = ({ random }: Drawing, keys: readonly string[]) => ({
  sort_key: () => random.pick(keys),
  sort_dir: () => random.pick(['asc', 'desc']),
});

const nameIn = (drawing: Drawing) => fullName(drawing.zone(), drawing.random.pick(NAMES));

function recordsetQuery(drawing: Drawing): string {
  const { random, marks } = drawing;
  return query(drawing, {
    name: () => random.pick([nameIn(drawing), nameIn(drawing), '*www*', '*.example.', '_acme*']),
    type: () => random.pick(TYPES),
    data: () => random.pick([marks.pick(random), `*${marks.pick(random)}*`, '*mark1*', '*10.77*']),
    ttl: () => '300',
    description: () => random.pick(['*x*', 'x']),
    marker: () => recordsetId(drawing.place()),
    ...sorting(drawing, ['name', 'type', 'created_at', 'records', 'ttl', 'zone_id']),
  });
}

/** Exact names have a way of their own in the store. */
function named(drawing: Drawing): DrawnRequest {
  const { zone, name } = drawing.place();
  return get(`/v2/zones/${idOf(zone)}/recordsets?name=${fullName(zone, name)}`);
}

function zoneQuery(drawing: Drawing): string {
  const { random } = drawing;
  return query(drawing, {
    name: () => random.pick([drawing.zone(ALL_ZONES).name, `*${LABEL}*`, '*.test.', 'b*']),
    type: () => 'PRIMARY',
    email: () => 'a@example.org',
    shared: () => random.pick(['true', 'false']),
    marker: () => anyZone(drawing),
    ...sorting(drawing, ['name', 'serial', 'created_at', 'ttl']),
  });
}

function question(drawing: Drawing): DrawnRequest {
  const { random } = drawing;
  const { zone, name, type } = drawing.place(ALL_ZONES);
  const body = {
    zone: random.pick([zone.name, idOf(zone)]),
    action: random.pick(ACTIONS),
    ...(random.chance(0.8) && { name: fullName(zone, name) }),
    ...(random.chance(0.8) && { type }),
  };
  return { method: 'POST', path: '/v2/access/check', body };
}

function history(drawing: Drawing): DrawnRequest {
  const { random } = drawing;
  const zone = drawing.zone();
  const filters = query(drawing, {
    name: () => fullName(zone, random.pick(NAMES)),
    type: () => random.pick(TYPES),
  });
  const path = `/v2/zones/${idOf(zone)}/changes`;
  return get(random.pick([`${path}${filters}`, `${path}/{change:${zone.key}:${random.below(4)}}`]));
}

function events(drawing: Drawing): DrawnRequest {
  const { random } = drawing;
  const types = ['recordset.created', 'zone.created', 'zone.changed', 'token.created'];
  const filters = query(drawing, {
    target_id: () => anyZone(drawing),
    type: () => random.pick(types),
  });
  return get(random.pick([`/v2/events${filters}`, `/v2/events/{event:${random.below(40)}}`]));
}

function tasks(drawing: Drawing): DrawnRequest {
  const { random } = drawing;
  const [kind, id] = [random.pick(['import', 'export']), random.below(3)];
  const path = `/v2/zones/tasks/${kind}s`;
  const list = `${path}${query(drawing, { zone_id: () => anyZone(drawing) })}`;
  const file = `/v2/zones/tasks/exports/{export:${id}}/export`;
  return get(random.pick([list, `${path}/{${kind}:${id}}`, file]));
}

function restoring(drawing: Drawing): DrawnRequest {
  const body = { at: '2090-01-01T00:00:00', dry_run: true };
  return { method: 'POST', path: `/v2/zones/${anyZone(drawing)}/restore`, body };
}

export const READS: readonly RequestKind[] = [
  [4, (drawing) => get(`/v2/zones${zoneQuery(drawing)}`)],
  [6, (drawing) => get(`/v2/recordsets${recordsetQuery(drawing)}`)],
  [6, (drawing) => get(`/v2/zones/${anyZone(drawing)}/recordsets${recordsetQuery(drawing)}`)],
  [3, named],
  [1, ({ random }) => get(random.pick(['/v2/zones', '/v2/recordsets']), random.pick(OTHER_PROJECTS))],
  [2, (drawing) => get(`/v2/zones/${anyZone(drawing)}`)],
  [3, (drawing) => get(pathOf(drawing.place()))],
  [2, (drawing) => get(`/v2/recordsets/${recordsetId(drawing.place())}`)],
  [2, (drawing) => get(`/v2/recordsets/${recordsetId(drawing.place())}/changes`)],
  [2, (drawing) => get(`/v2/zones/${anyZone(drawing)}/contents`, { accept: drawing.random.pick(FORMS) })],
  [3, history],
  [3, events],
  [3, tasks],
  [1, (drawing) => get(`/v2/deleted_zones${query(drawing, { name: () => `*${LABEL}*` })}`)],
  [1, ({ random }) => get(random.pick(['/v2/limits', '/v2/caller', '/v2/tokens']))],
  [1, ({ random }) => get(`/v2/tokens/{token:${random.below(5)}}`)],
  [1, (drawing) => get(drawing.random.pick(CLOSED).replace('ZONE', anyZone(drawing)))],
  [6, question],
  [8, (drawing) => changeSet(drawing, true)],
  [2, (drawing) => contents(drawing, true)],
  [2, (drawing) => reverting(drawing, true)],
  [1, restoring],
];
