/** Requests that change something. */
import { ALL_ZONES, fullName, NEW_ZONES } from './alphabet.ts';
import type { Drawing } from './drawing.ts';
import {
  anyZone,
  changeSet,
  contents,
  type DrawnRequest,
  idOf,
  pathOf,
  type RequestKind,
  reverting,
} from './requests.ts';
import { drawScope } from './scopes.ts';

function creation(drawing: Drawing): DrawnRequest {
  const { random, marks } = drawing;
  const place = drawing.place(ALL_ZONES);
  const body = {
    name: fullName(place.zone, place.name),
    type: place.type,
    records: [marks.recordAt(place)],
    ...(random.chance(0.2) && { ttl: 300 }),
  };
  return { method: 'POST', path: `/v2/zones/${idOf(place.zone)}/recordsets`, body };
}

function update(drawing: Drawing): DrawnRequest {
  const { random, marks, scope } = drawing;
  const place = drawing.place();
  const body = random.pick<object>([
    { records: [marks.recordAt(place)] },
    { ttl: 300 },
    { description: 'x' },
    // A lifetime of records takes it off, and a protected recordset is then left as it is.
    ...(scope.record_lifetime === undefined ? [{ expires_at: '2090-01-01T00:00:00.000000' }] : []),
  ]);
  return { method: 'PUT', path: pathOf(place), body };
}

function zoneFile(drawing: Drawing): DrawnRequest {
  const zone = drawing.zone(NEW_ZONES);
  const record = drawing.marks.recordAt({ zone, name: 'www', type: 'TXT' });
  const lines = [
    `${zone.name} 300 IN SOA ns.example. a.example. 1 3600 600 86400 300`,
    `www.${zone.name} 300 IN TXT ${record}`,
  ];
  const headers = { 'content-type': 'text/dns' };
  return { method: 'POST', path: '/v2/zones/tasks/imports', body: `${lines.join('\n')}\n`, headers };
}

function newZone(drawing: Drawing): DrawnRequest {
  const { name } = drawing.zone(NEW_ZONES);
  return { method: 'POST', path: '/v2/zones', body: { name, email: 'a@example.org' } };
}

function zoneUpdate(drawing: Drawing): DrawnRequest {
  const body = { description: `d${drawing.random.below(9)}` };
  return { method: 'PATCH', path: `/v2/zones/${anyZone(drawing)}`, body };
}

function taskDeletion({ random }: Drawing): DrawnRequest {
  const kind = random.pick(['import', 'export']);
  return { method: 'DELETE', path: `/v2/zones/tasks/${kind}s/{${kind}:${random.below(3)}}` };
}

function newToken({ random, scope }: Drawing): DrawnRequest {
  return { method: 'POST', path: '/v2/tokens', body: { scope: drawScope(random, scope) } };
}

export const WRITES: readonly RequestKind[] = [
  [6, creation],
  [5, update],
  [3, (drawing) => ({ method: 'DELETE', path: pathOf(drawing.place()) })],
  [6, (drawing) => changeSet(drawing, false)],
  [1, (drawing) => contents(drawing, false)],
  [1, (drawing) => reverting(drawing, false)],
  [2, newZone],
  [1, zoneUpdate],
  [1, (drawing) => ({ method: 'DELETE', path: `/v2/zones/${idOf(drawing.zone(NEW_ZONES))}` })],
  [1, zoneFile],
  [1, (drawing) => ({ method: 'POST', path: `/v2/zones/${anyZone(drawing)}/tasks/export` })],
  [0.5, taskDeletion],
  [1, ({ random }) => ({ method: 'POST', path: `/v2/deleted_zones/{deleted:${random.below(2)}}/restore` })],
  [2, newToken],
];
