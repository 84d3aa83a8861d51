import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, sealed } from '../support/events.ts';
import { eventually } from '../support/eventually.ts';
import { runHere } from '../support/run-here.ts';
import { startTestService } from '../support/service.ts';
import { copyStore, inStoreOf, storeOptions } from '../support/store.ts';

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-events-'));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const zonewarden = (dataDir: string, args: readonly string[], more = {}) =>
  runHere(args, { ...storeOptions(dataDir), ...more });
const headOf = async (dataDir: string) =>
  (await inStoreOf(dataDir, 'select * from event_head'))[0] as Readonly<Record<string, unknown>>;

/** A store with some events, at rest. */
let sound: string;
let head: string;
let past: string;
beforeAll(async () => {
  const service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  for (let number = 0; number < 8; number++) {
    const body = { name: `chain-${number}.example.`, email: 'a@example.org' };
    const { status } = await service.request('POST', '/v2/zones', { token: service.admin, body });
    expect(status).toBe(202);
  }
  past = (await eventsOf(service))[0]!.hash;
  await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern: '^x' } });
  await service.stop();
  sound = newFolder();
  copyStore(service.dataDir, sound);
  head = String((await headOf(sound)).hash);
  const heads = service.logged.filter(({ msg }) => msg === 'the events have reached this position');
  expect(heads.at(-1)).toMatchObject({ position: 9, hash: head });
  rmSync(service.dataDir, { recursive: true, force: true });
});

/** What verify says of a copy that was changed behind the product's back. */
async function verified(statements: readonly string[], ...args: readonly string[]) {
  const folder = newFolder();
  copyStore(sound, folder);
  if (statements.length > 0) await inStoreOf(folder, ...statements);
  return zonewarden(folder, ['verify', ...args]);
}

describe('verify', () => {
  it('finds no fault in what was left alone, and every past head', async () => {
    for (const args of [[], ['--head', head], ['--head', past.toUpperCase()]]) {
      const { status, out } = await verified([], ...args);
      expect([status, out]).toEqual([0, expect.stringContaining('9 events: 0 faults')]);
    }
  });

  it.each([
    ['a changed name', `update events set target_name = 'other.' where position = 3`, 'not what was written'],
    ['a changed actor', `update events set user_id = 'somebody' where position = 3`, 'not what was written'],
    ['changed contents', `update events set data = '{}' where position = 4`, 'not what was written'],
    ['a changed key', `update events set key_id = '0000000000000000' where position = 4`, 'does not follow'],
    [
      'a waiting event without a head',
      `insert into event_queue values ('x', '{', '{}', 'x')`,
      'not what was written',
    ],
    ['a changed hash', `update events set hash = '00' where position = 5`, 'does not follow'],
    ['a missing event', `delete from events where position = 5`, 'from the position 5 to 5 are missing'],
    [
      'a missing first event',
      `delete from events where position = 1`,
      'from the position 1 to 1 are missing',
    ],
    ['a cut end', `delete from events where position > 7`, 'the last event is at 7'],
    ['an event that moved', `update events set position = 20 where position = 9`, 'it was inserted'],
    [
      'an inserted event',
      `insert into event_queue select id, json, data, mac from (
        select id, data, mac, '["' || id || '","' || time || '","zone.deleted","","","","","","request","","","zone","","forged.",1,"'
          || key_id || '"]' as json from events where position = 2) as forged`,
      'not what was written',
    ],
  ])('finds %s', async (_, statement, fault) => {
    const { status, out } = await verified([statement]);
    expect([status, out]).toEqual([1, expect.stringContaining(fault)]);
  });

  it('finds a cut end with a head that was moved back, by a hash that was logged', async () => {
    const cut = [
      'delete from events where position > 7',
      'update event_head set position = 7, hash = (select hash from events where position = 7)',
    ];
    expect((await verified(cut)).status).toBe(0);
    const { status, out } = await verified(cut, '--head', head);
    expect([status, out]).toEqual([1, expect.stringContaining('No event has this hash')]);
  });

  it('says which events it has no key for, and refuses a head that is none', async () => {
    const folder = newFolder();
    copyStore(sound, folder);
    rmSync(join(folder, 'events.key'));
    const { status, err } = await zonewarden(folder, ['verify']);
    expect([status, err]).toEqual([
      0,
      expect.stringMatching(/^9 events .* their key [0-9a-f]{16} is missing/),
    ]);
    expect(existsSync(join(folder, 'events.key'))).toBe(false);
    const refused = await zonewarden(folder, ['verify', '--head', 'latest']);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('64 hexadecimal digits')]);
  });
});

describe('the key of events', () => {
  it('is made at the first start for its owner alone, and kept', async () => {
    const service = await startTestService();
    const file = join(service.dataDir, 'events.key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    await service.restart();
    expect(readFileSync(file, 'utf8')).toBe(text);
    await service.remove();
  });

  it('can lie elsewhere, with those that were used before', async () => {
    const folder = newFolder();
    copyStore(sound, folder);
    const before = readFileSync(join(folder, 'events.key'), 'utf8');
    const file = join(newFolder(), 'keys');
    writeFileSync(file, `${'ab'.repeat(32)}\n${before}`, { mode: 0o600 });
    const option = { ZONEWARDEN_EVENTS__KEY_FILE: file };
    rmSync(join(folder, 'events.key'));
    const made = await zonewarden(folder, ['token', 'create', '--project', 'p', '--role', 'reader'], option);
    expect(made.status).toBe(0);
    expect(existsSync(join(folder, 'events.key'))).toBe(false);
    const { status, err, out } = await zonewarden(folder, ['verify'], option);
    expect([status, err, out]).toEqual([0, '', expect.stringContaining('10 events: 0 faults')]);
  });

  it('ends a command in one line where it cannot be had, and nothing is changed', async () => {
    const folder = newFolder();
    copyStore(sound, folder);
    const file = join(newFolder(), 'keys');
    for (const text of [undefined, 'no key\n', '']) {
      if (text !== undefined) writeFileSync(file, text);
      const { status, err } = await zonewarden(
        folder,
        ['token', 'create', '--project', 'p', '--role', 'reader'],
        { ZONEWARDEN_EVENTS__KEY_FILE: file },
      );
      expect([status, err]).toEqual([2, expect.stringContaining(file)]);
      expect(err.trim().split('\n')).toHaveLength(1);
    }
    expect((await zonewarden(folder, ['events'])).out.trim().split('\n')).toHaveLength(9);
  });
});

describe('the command events', () => {
  it('prints what has happened, the oldest first, and what commands have done', async () => {
    const folder = newFolder();
    copyStore(sound, folder);
    await zonewarden(folder, ['token', 'create', '--project', 'p', '--role', 'reader']);
    const { status, out } = await zonewarden(folder, ['events']);
    const lines = out.trim().split('\n');
    expect([status, lines.length]).toEqual([0, 10]);
    expect(lines[0]).toMatch(/^1\t.*\tzone\.created\tadmin\/.*\tzone chain-0\.example\.\tdone$/);
    expect(lines[9]).toContain(`admin/${userInfo().username}`);
    const json = (await zonewarden(folder, ['events', '--type', 'token.*', '--json', '--since', '1h'])).out;
    expect(JSON.parse(json)).toMatchObject({
      position: 10,
      type: 'token.created',
      actor: { kind: 'command', user_id: userInfo().username },
      after: { project_id: 'p', roles: ['reader'] },
    });
    expect((await zonewarden(folder, ['events', '--since', '2100-01-01'])).out).toBe('');
    const refused = await zonewarden(folder, ['events', '--since', 'yesterday']);
    expect([refused.status, refused.err]).toEqual([2, expect.stringContaining('--since')]);
  });
});

describe('old events', () => {
  it('are removed from the old end, and the chain goes on from the last hash', async () => {
    const service = await startTestService({ ZONEWARDEN_EVENTS__KEEP: '1' });
    const { dataDir } = service;
    for (const pattern of ['^a', '^b', '^c'])
      await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern } });
    await sealed(dataDir);
    await service.restart();
    expect(Number((await headOf(dataDir)).removed_position)).toBe(0);
    await inStoreOf(dataDir, `update events set time = '2020-01-01T00:00:00.000000' where position <= 2`);
    await service.restart();
    const removed = async () => Number((await headOf(dataDir)).removed_position) === 2 || undefined;
    await eventually(removed);
    expect((await eventsOf(service)).map(({ position }) => position)).toEqual([3]);
    await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern: '^d' } });
    await sealed(dataDir);
    const { status, out } = await zonewarden(dataDir, ['verify']);
    expect([status, out]).toEqual([0, expect.stringContaining('2 events: 0 faults')]);
    await service.remove();
  });
});

describe('secrets', () => {
  it('are in no event', async () => {
    const service = await startTestService();
    const { dataDir, admin } = service;
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await service.request(method, path, { token: admin, body });
      expect(answer.status).toBeLessThan(300);
      return answer.json;
    };
    const secret = Buffer.from('recognisable-secret').toString('base64');
    const pool = (await ask('GET', '/v2/pools')).pools[0];
    const key = { name: 'k', algorithm: 'hmac-sha256', secret, scope: 'POOL', resource_id: pool.id };
    const { id } = await ask('POST', '/v2/tsigkeys', key);
    const other = Buffer.from('another-secret').toString('base64');
    await ask('PATCH', `/v2/tsigkeys/${id}`, { secret: other });
    await ask('DELETE', `/v2/tsigkeys/${id}`);
    const zone = await ask('POST', '/v2/zones', { name: 'given.example.', email: 'a@example.org' });
    const offer = await ask('POST', `/v2/zones/${zone.id}/tasks/transfer_requests`, {});
    await ask('PATCH', `/v2/zones/tasks/transfer_requests/${offer.id}`, { description: 'x' });
    const wrong = { zone_transfer_request_id: offer.id, key: 'recognisable-wrong-key' };
    await service.request('POST', '/v2/zones/tasks/transfer_accepts', { token: admin, body: wrong });
    const taken = { zone_transfer_request_id: offer.id, key: offer.key };
    await ask('POST', '/v2/zones/tasks/transfer_accepts', taken);
    const args = ['token', 'create', '--project', 'p', '--role', 'reader'];
    const token = (await zonewarden(dataDir, args)).out.trim();
    await service.stop();
    const rows = await inStoreOf(dataDir, 'select * from events');
    const types = new Set(rows.map(({ type }) => type));
    for (const type of ['tsigkey.changed', 'transfer_request.created', 'zone.transferred', 'token.created'])
      expect(types).toContain(type);
    expect(types).toContain('refused.transfer_key');
    const hashes = (await inStoreOf(dataDir, 'select hash from api_tokens')).map(({ hash }) => String(hash));
    const all = JSON.stringify(rows);
    const secrets = [
      secret,
      other,
      offer.key,
      wrong.key,
      token,
      token.split('_').slice(2).join('_'),
      admin,
      ...hashes,
    ];
    for (const one of secrets) expect(all).not.toContain(one);
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('an event of a transaction that took an hour', () => {
  it('has a late position, and is found by its time', async () => {
    const service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
    const { dataDir, admin } = service;
    const create = async (name: string) => {
      const body = { name: `${name}.example.`, email: 'a@example.org' };
      await service.request('POST', '/v2/zones', { token: admin, body });
      await sealed(dataDir);
    };
    for (const name of ['first', 'second']) await create(name);
    const begun = Date.now() - 3_600_000;
    const time = `${new Date(begun).toISOString().slice(0, 23)}000`;
    const digits = begun.toString(16).padStart(12, '0');
    const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
    const zone = [
      id,
      time,
      'zone.created',
      '',
      'admin',
      'admin',
      'admin',
      '',
      'request',
      '',
      '',
      'zone',
      '',
      'late.',
      1,
    ];
    const head = JSON.stringify([...zone, 'key']);
    await inStoreOf(dataDir, `insert into event_queue values ('${id}', '${head}', '{}', 'mac')`);
    await sealed(dataDir);
    await create('third');
    const late = (await eventsOf(service)).find((one) => one.id === id)!;
    expect([late.position, late.target.name]).toEqual([3, 'late.']);
    const at = (minutes: number) => new Date(begun + minutes * 60_000).toISOString();
    const positions = async (query: string) =>
      (await eventsOf(service, query)).map(({ position }) => position);
    expect(await positions(`&until=${at(1)}`)).toEqual([3]);
    expect(await positions(`&since=${at(-1)}&until=${at(1)}`)).toEqual([3]);
    expect(await positions(`&since=${at(-1)}`)).toEqual([4, 3, 2, 1]);
    expect(await positions(`&since=${at(1)}`)).toEqual([4, 2, 1]);
    expect(await positions('&until=9999-12-31T23:59:59Z')).toEqual([4, 3, 2, 1]);
    expect(await positions('&since=0001-01-01')).toEqual([4, 3, 2, 1]);
    const followed = await zonewarden(dataDir, ['events', '--since', '59m']);
    expect(followed.out.trim().split('\n')).toHaveLength(3);
    await service.remove();
  });
});

describe('several that seal at once', () => {
  it('make one chain without a gap', async () => {
    const service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
    const { dataDir, admin } = service;
    const body = (number: number) => ({ name: `busy-${number}.example.`, email: 'a@example.org' });
    const creates = Array.from({ length: 60 }, (_, number) =>
      service.request('POST', '/v2/zones', { token: admin, body: body(number) }),
    );
    const commands = Array.from({ length: 6 }, () => zonewarden(dataDir, ['events']));
    for (const { status } of await Promise.all(creates)) expect(status).toBe(202);
    for (const { status } of await Promise.all(commands)) expect(status).toBe(0);
    const events = await eventsOf(service);
    expect(events.map(({ position }) => position)).toEqual(events.map((_, place) => events.length - place));
    const { status, out } = await zonewarden(dataDir, ['verify']);
    expect([status, out]).toEqual([0, expect.stringContaining('60 events: 0 faults')]);
    await service.remove();
  });
});
