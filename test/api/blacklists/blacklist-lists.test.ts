/** Named lists of blacklists, and imports by HTTP. */

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { sealed } from '../../support/events.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('mine', 'member');
});
afterAll(() => service.remove());
let letter = 96;
let mine = '';
beforeEach(() => {
  letter += 1;
  mine = `list-${String.fromCharCode(letter)}`;
});

const admin = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> =>
  service.request(method, path, {
    token: service.admin,
    headers: { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
const send = (lines: readonly string[], query = '', type = 'text/plain') =>
  admin('POST', `/v2/blacklists/import${query}`, lines.join('\n'), type);
const create = async (name: string): Promise<number> =>
  (await service.request('POST', '/v2/zones', { token: member, body: { name, email: 'a@example.org' } }))
    .status;

async function over({ status, json, text }: Answer): Promise<Answer['json']> {
  expect([status, text]).toEqual([202, expect.any(String)]);
  const path = new URL(json.links.self).pathname;
  return eventually(async () => {
    const { json: task } = await admin('GET', path);
    return task.status === 'ACTIVE' ? undefined : task;
  });
}
const imported = async (lines: readonly string[], query = '', type?: string) =>
  over(await send(lines, query, type));
const entriesOf = async (list: string): Promise<Answer['json'][]> =>
  (await admin('GET', `/v2/blacklists?list=${list}&limit=1000`)).json.blacklists;
const pattern = (n: number | string) => `^${mine}-${n}\\.example\\.$`;
const name = (n: number | string) => `${mine}-${n}.example.`;
const patterns = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => pattern(from + i));
const shown = async () => (await admin('GET', `/v2/blacklists/lists/${mine}`)).json;

it('ten thousand rules are tried in audit, turned to enforce, brought up to date and taken back', async () => {
  const first = await imported(patterns(0, 10_000), `?list=${mine}&mode=audit`);
  expect(first).toMatchObject({ kind: 'import', status: 'COMPLETE', added: 10_000, present: 0, faults: [] });
  expect(await shown()).toMatchObject({ name: mine, entries: 10_000, sha256: first.sha256 });
  expect(await create(name(9_999))).toBe(202);
  const changed = await admin('PATCH', `/v2/blacklists/lists/${mine}`, { mode: 'enforce' });
  expect(changed).toMatchObject({ status: 200, json: { changed: 10_000, entries: 10_000 } });
  expect([await create(name(0)), await create(name(9_998))]).toEqual([400, 400]);
  const second = await imported(patterns(1_000, 11_000), `?list=${mine}&sync=true`);
  expect(second).toMatchObject({ kind: 'sync', status: 'COMPLETE', added: 1_000, removed: 1_000 });
  expect([await create(name(0)), await create(name(999))]).toEqual([202, 202]);
  expect([await create(name(1_000)), await create(name(10_999))]).toEqual([400, 400]);
  expect(await shown()).toMatchObject({ entries: 10_000, sha256: second.sha256 });
  expect(await over(await admin('DELETE', `/v2/blacklists/lists/${mine}`))).toMatchObject({
    kind: 'remove',
    status: 'COMPLETE',
    removed: 10_000,
  });
  expect([await create(name(1_000)), await create(name(10_999))]).toEqual([202, 202]);
  expect((await admin('GET', `/v2/blacklists/lists/${mine}`)).status).toBe(404);
  await sealed(service.dataDir);
  const told = (await admin('GET', '/v2/events?limit=100')).json.events as Answer['json'][];
  const ours = told.filter(({ data, details }) => (details ?? data?.details)?.list === mine);
  expect(ours.map(({ type }) => type)).toEqual([
    'blacklists.list_removed',
    'blacklists.synced',
    'blacklists.list_changed',
    'blacklists.imported',
  ]);
}, 600_000);

it('an entry names its lists, sorted, and takes them back without a change', async () => {
  await imported([pattern('a')], `?list=${mine}-z`);
  await imported([pattern('a'), pattern('b')], `?list=${mine}-y`);
  const [entry] = await entriesOf(`${mine}-z`);
  expect(entry.lists).toEqual([`${mine}-y`, `${mine}-z`]);
  const sent = await admin('PATCH', `/v2/blacklists/${entry.id}`, { description: 'd', lists: [] });
  expect(sent.json).toMatchObject({ description: 'd', lists: entry.lists });
  expect((await admin('GET', `/v2/blacklists/${entry.id}`)).json.lists).toEqual(entry.lists);
  expect((await admin('GET', '/v2/blacklists/lists')).json.lists).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: `${mine}-y`, entries: 2 }),
      expect.objectContaining({ name: `${mine}-z`, entries: 1 }),
    ]),
  );
});

it('what a person has made or written stays when its list goes', async () => {
  await admin('POST', '/v2/blacklists', { pattern: pattern('made') });
  await imported([pattern('made'), pattern('written'), pattern('gone')], `?list=${mine}`);
  const written = (await entriesOf(mine)).find((one) => one.pattern === pattern('written'));
  await admin('PATCH', `/v2/blacklists/${written.id}`, { pattern: pattern('other') });
  expect(await over(await admin('DELETE', `/v2/blacklists/lists/${mine}`))).toMatchObject({ removed: 1 });
  expect([await create(name('made')), await create(name('other')), await create(name('gone'))]).toEqual([
    400, 400, 202,
  ]);
});

it('an entry that is deleted is counted no more, and comes back with the next sync', async () => {
  await imported(patterns(0, 3), `?list=${mine}`);
  const [entry] = await entriesOf(mine);
  await admin('DELETE', `/v2/blacklists/${entry.id}`);
  expect(await shown()).toMatchObject({ entries: 2 });
  await imported(patterns(0, 3), `?list=${mine}&sync=true`);
  expect(await shown()).toMatchObject({ entries: 3 });
});

it('a file with faults changes nothing, and its task names all of them', async () => {
  const lines = Array.from({ length: 2_500 }, (_, i) => (i % 10 === 9 ? '(' : pattern(i)));
  const task = await imported(lines, `?list=${mine}`);
  expect(task).toMatchObject({ status: 'ERROR', fault_count: 250 });
  expect(task.faults).toHaveLength(100);
  expect(task.faults[0]).toMatchObject({ line: 10, message: expect.any(String) });
  expect(await entriesOf(mine)).toEqual([]);
  expect((await admin('GET', `/v2/blacklists/lists/${mine}`)).status).toBe(404);
  expect(await create(name(0))).toBe(202);
  expect(await imported(['.*'], `?list=${mine}`)).toMatchObject({ status: 'ERROR', fault_count: 1 });
});

it('a dry run says what would come and go, and which zones it would hit, and changes nothing', async () => {
  for (const n of [9, 35, 36]) expect(await create(name(n))).toBe(202);
  const first = await imported(patterns(0, 20), `?list=${mine}`);
  expect(first.forecast).toBeUndefined();
  const task = await imported(patterns(10, 40), `?list=${mine}&sync=true&dry_run=true`);
  expect(task).toMatchObject({ status: 'COMPLETE', added: 20, present: 10, removed: 10, revision: null });
  const { coming, going, zones, zone_count } = task.forecast;
  expect(coming).toEqual(patterns(20, 40));
  expect(going.sort()).toEqual(patterns(0, 10).sort());
  expect([zones.sort(), zone_count]).toEqual([[name(35), name(36)], 2]);
  expect((await entriesOf(mine)).map((one) => one.pattern).sort()).toEqual(patterns(0, 20).sort());
  expect(await create(name(34))).toBe(202);
});

it('an import that is refused takes no idempotency key', async () => {
  const once = (query: string) =>
    service.request('POST', `/v2/blacklists/import${query}`, {
      token: service.admin,
      headers: { 'content-type': 'text/plain', 'idempotency-key': `refused ${mine}` },
      body: pattern(0),
    });
  expect((await once('?list=No')).status).toBe(400);
  expect(await over(await once(`?list=${mine}`))).toMatchObject({ status: 'COMPLETE', added: 1 });
  const large = await service.request('POST', `/v2/blacklists/import?list=${mine}`, {
    token: service.admin,
    headers: { 'content-type': 'text/plain', 'idempotency-key': 'large' },
    body: '\n'.repeat(16_777_217),
  });
  expect([large.status, large.json.message]).toEqual([413, expect.stringContaining('Idempotency-Key')]);
});

it('what is staged is nowhere to be seen, and a pattern of it can be made by hand', async () => {
  let go = () => {};
  const waiting = new Promise<void>((resolve) => {
    go = resolve;
  });
  async function* lines() {
    yield Buffer.from(`${patterns(0, 3_000).join('\n')}\n`);
    await waiting;
    yield Buffer.from(pattern('last'));
  }
  const sent = fetch(`${service.url}/v2/blacklists/import?list=${mine}`, {
    method: 'POST',
    headers: { 'x-auth-token': service.admin, 'content-type': 'text/plain' },
    body: lines(),
    duplex: 'half',
  } as never);
  const open = 'select lines from blacklist_tasks where is_over = 0';
  await eventually(async () => {
    const [row] = await inStoreOf(service.dataDir, open);
    return Number(row?.lines ?? 0) >= 3_000 ? true : undefined;
  });
  expect(await send([])).toMatchObject({ status: 409, json: { type: 'lists_busy' } });
  const total = (await admin('GET', `/v2/blacklists?pattern=*${mine}-*&limit=1000`)).json.blacklists;
  expect(total).toEqual([]);
  expect((await admin('GET', `/v2/blacklists/lists/${mine}`)).status).toBe(404);
  expect(await create(name(7))).toBe(202);
  const made = await admin('POST', '/v2/blacklists', { pattern: pattern(5), description: 'mine' });
  expect(made.status).toBe(201);
  expect(await create(name(5))).toBe(400);
  go();
  const answer = (await (await sent).json()) as Answer['json'];
  const task = await eventually(async () => {
    const { json } = await admin('GET', `/v2/blacklists/imports/${answer.id}`);
    return json.status === 'ACTIVE' ? undefined : json;
  });
  expect(task).toMatchObject({ status: 'COMPLETE', added: 3_000, present: 1 });
  expect(await shown()).toMatchObject({ entries: 3_001 });
  expect((await admin('GET', `/v2/blacklists/${made.json.id}`)).json).toMatchObject({
    description: 'mine',
    lists: [mine],
  });
  expect([await create(name(6)), await create(name('last'))]).toEqual([400, 400]);
});

it.each([
  ['?list=No', 'text/plain', 400],
  ['?sync=true', 'text/plain', 400],
  ['?format=jsonl', 'text/plain', 400],
  ['?mode=off', 'text/plain', 400],
  ['?what=1', 'text/plain', 400],
  ['', 'application/json', 415],
])('the import %s of the type %s is refused with %i', async (query, type, status) => {
  expect((await send([pattern(1)], query, type)).status).toBe(status);
});

it('the words of the paths are never taken for ids, and other methods are refused', async () => {
  for (const path of ['/v2/blacklists/lists', '/v2/blacklists/import'])
    for (const method of ['PATCH', 'DELETE'])
      expect((await admin(method, path, method === 'PATCH' ? {} : undefined)).status).toBe(405);
  expect((await admin('GET', '/v2/blacklists/import')).status).toBe(405);
  expect((await admin('GET', '/v2/blacklists/lists/No')).status).toBe(400);
});

it('an import that is sent again with its Idempotency-Key is one import, and one event', async () => {
  const post = (query: string, body = pattern(1)) =>
    service.request('POST', `/v2/blacklists/import?list=${mine}${query}`, {
      token: service.admin,
      headers: { 'content-type': 'text/plain', 'idempotency-key': mine },
      body,
    });
  const first = await post('');
  const task = await over(first);
  expect(task).toMatchObject({ status: 'COMPLETE', added: 1, lines: 1 });
  const again = await post('');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.text).toBe(first.text);
  expect((await post('', pattern(2))).status).toBe(422);
  expect((await over(await post('&sync=true'))).id).not.toBe(task.id);
  const told = `/v2/events?type=blacklists.imported&target_name=${mine}`;
  const events = await eventually(async () => {
    const found = (await admin('GET', told)).json.events;
    return found.length > 0 ? found : undefined;
  });
  expect(events.map(({ id }: { id: string }) => id)).toEqual([task.event_id]);
});

it('what GET /v2/blacklists sends as lines can be imported elsewhere', async () => {
  const terms = { mode: 'warn', exceptions: [{ project_id: 'shop' }] };
  const { json: made } = await admin('POST', '/v2/blacklists', { pattern: pattern(1), ...terms });
  const { text } = await service.request('GET', `/v2/blacklists?pattern=${encodeURIComponent(pattern(1))}`, {
    token: service.admin,
    headers: { accept: 'application/jsonl' },
  });
  expect((await admin('DELETE', `/v2/blacklists/${made.id}`)).status).toBe(204);
  const task = await imported([text], `?list=${mine}`, 'application/jsonl');
  expect(task).toMatchObject({ status: 'COMPLETE', added: 1, lines: 1 });
  expect(await entriesOf(mine)).toMatchObject([
    { pattern: pattern(1), mode: 'warn', exceptions: made.exceptions, lists: [mine] },
  ]);
});
