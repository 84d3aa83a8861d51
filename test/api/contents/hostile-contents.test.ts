/** Contents that are larger than allowed, refused by a rule, or sent while others change the zone. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordsetsIn } from '../../support/change-sets.ts';
import { putContents } from '../../support/contents.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '10',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '20',
    ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones, recordsets',
  });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

let zones = 0;
async function makeZone() {
  const name = `hostile-${++zones}.example.`;
  const body = { name, email: 'a@example.org' };
  const { json } = await service.request('POST', '/v2/zones', { token, body });
  return { id: json.id as string, name };
}
const put = (id: string, contents: string | object, query = '') =>
  putContents(service, id, contents, { token, query });
const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at)}\n`).join('');

it('stops reading at the first line with which the zone cannot fit', async () => {
  const { id } = await makeZone();
  const { status, json } = await put(id, `${lines(11, (at) => `n${at} 60 A 192.0.2.1`)}not a line at all`);
  expect([status, json.type, json.errors.errors[0].path]).toEqual([413, 'over_quota', ['line', 11]]);
  expect(json.message).toContain('10');
});

it('shows in a dry run which quota stands against contents, however large they are', async () => {
  const { id } = await makeZone();
  const shown = await put(
    id,
    lines(11, (at) => `n${at} 60 A 192.0.2.1`),
    '?dry_run=true',
  );
  expect([shown.status, shown.json.status, shown.json.summary.create]).toEqual([200, 'REFUSED', 11]);
  expect([shown.json.refusal.code, shown.json.refusal.type]).toEqual([413, 'over_quota']);
  // Not read to its end.
  const huge = lines(20_100, (at) => `n${at} 60 A 192.0.2.1`);
  const cut = await put(id, huge, '?dry_run=true');
  expect([cut.status, cut.json.status, cut.json.plan, cut.json.changes]).toEqual([200, 'REFUSED', null, []]);
  expect([cut.json.refusal.code, cut.json.refusal.type]).toEqual([413, 'over_quota']);
  const { serial } = (await service.request('GET', `/v2/zones/${id}`, { token })).json;
  expect((await put(id, huge, `?dry_run=true&if_serial=${serial}`)).status).toBe(200);
  expect((await put(id, huge, `?dry_run=true&if_serial=${serial - 1}`)).status).toBe(412);
  expect((await put(id, huge, `?dry_run=true&plan=sha256:${'0'.repeat(64)}`)).status).toBe(409);
});

it('counts neither what is outside the zone nor what is kept nor duplicates', async () => {
  const { id, name } = await makeZone();
  const file = [
    lines(1000, (at) => `n${at}.elsewhere.example. 60 A 192.0.2.1`),
    lines(1000, (at) => `n${at} 60 CAA 0 issue "ca.example"`),
    lines(1000, () => 'www 60 A 192.0.2.1'),
  ].join('');
  const { status, json } = await put(id, file, '?keep=CAA');
  expect([status, json.ignored, json.summary.create]).toEqual([202, 1000, 1]);
  expect(Object.keys(await recordsetsIn(service, id, token))).toEqual([`www.${name} A`]);
});

it('lets a zone above a lowered limit shrink, but not grow', async () => {
  const { id } = await makeZone();
  await put(
    id,
    lines(8, (at) => `n${at} 60 A 192.0.2.1`),
  );
  const body = { zone_recordsets: 5 };
  await service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body });
  try {
    const grown = await put(
      id,
      lines(9, (at) => `n${at} 60 A 192.0.2.1`),
    );
    expect([grown.status, grown.json.type]).toEqual([413, 'over_quota']);
    expect(grown.json.message).toContain('5');
    expect(
      (
        await put(
          id,
          lines(8, (at) => `m${at} 60 A 192.0.2.1`),
        )
      ).status,
    ).toBe(202);
    expect(
      (
        await put(
          id,
          lines(7, (at) => `m${at} 60 A 192.0.2.1`),
        )
      ).status,
    ).toBe(202);
  } finally {
    await service.request('DELETE', '/v2/quotas/shop', { token: service.admin });
  }
});

it('counts what other recordsets add, in one sum', async () => {
  const { id } = await makeZone();
  await put(
    id,
    lines(6, (at) => `c${at} 60 CAA 0 issue "ca.example"`),
  );
  const { status, json } = await put(
    id,
    lines(5, (at) => `n${at} 60 A 192.0.2.1`),
    '?keep=CAA',
  );
  expect([status, json.type]).toEqual([413, 'over_quota']);
  const dry = await put(
    id,
    lines(5, (at) => `n${at} 60 A 192.0.2.1`),
    '?keep=CAA&dry_run=true',
  );
  expect([dry.status, dry.json.status, dry.json.refusal.type]).toEqual([200, 'REFUSED', 'over_quota']);
});

it('checks each new name against the blacklists, also one whose first type is kept', async () => {
  const { id } = await makeZone();
  const pattern = '^secret\\.hostile-';
  await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern } });
  const file = 'secret 60 CAA 0 issue "x"\nsecret 60 A 192.0.2.1\nok 60 A 192.0.2.1\n';
  const { status, json } = await put(id, file, '?keep=CAA');
  expect([status, json.errors.errors[0].path]).toEqual([400, ['line', 2]]);
  const shown = await put(id, file, '?keep=CAA&dry_run=true');
  expect(shown.json.changes.map(({ refusal }: { refusal: object | null }) => refusal === null)).toEqual([
    true,
    false,
  ]);
});

it('makes one zone of contents sent at the same time', async () => {
  const { id } = await makeZone();
  const sent = Array.from({ length: 8 }, (_, at) =>
    put(
      id,
      lines(6, (one) => `n${one} 60 A 192.0.2.${at}`),
    ),
  );
  const answers = await Promise.all(sent);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  const addresses = Object.values(await recordsetsIn(service, id, token)).map(({ records }) =>
    records.join(),
  );
  expect([addresses.length, new Set(addresses).size]).toEqual([6, 1]);
});

it('takes a list of types as long as a request line, each once', async () => {
  const { id } = await makeZone();
  const { status, json } = await put(
    id,
    'a 60 A 192.0.2.1\nb 60 CAA 0 issue "x"\n',
    `?keep=${'CAA,'.repeat(2000)}TXT`,
  );
  expect([status, json.summary.create]).toEqual([202, 1]);
  expect((await put(id, 'a 60 A 192.0.2.1\n', `?keep=${','.repeat(5000)}`)).status).toBe(400);
});

it('neither includes files nor generates records, nor unpacks a body', async () => {
  const { id } = await makeZone();
  const refused = async (file: string) => {
    const { status, json } = await put(id, file);
    return [status, json.errors.errors.map(({ path }: { path: unknown }) => path)];
  };
  expect(await refused('$INCLUDE /etc/passwd\n')).toEqual([400, [['line', 1]]]);
  expect(await refused('a 60 A 192.0.2.1\n$GENERATE 1-1000000 a$ A 192.0.2.1\n')).toEqual([
    400,
    [['line', 2]],
  ]);
  const packed = gzipSync(lines(100_000, () => 'a 60 A 192.0.2.1'));
  const { status } = await service.request('PUT', `/v2/zones/${id}/contents`, {
    token,
    headers: { 'content-type': 'text/dns', 'content-encoding': 'gzip' },
    body: packed,
  });
  expect(status).toBe(400);
  expect(await recordsetsIn(service, id, token)).toEqual({});
});

it('reads a recordset as large as can be, and no larger one', async () => {
  const { id } = await makeZone();
  const text = (size: number) => `big 60 TXT ${'"'.concat('x'.repeat(250), '" ').repeat(size)}\n`;
  expect((await put(id, text(250))).status).toBe(202);
  const { status, json } = await put(id, text(270));
  expect([status, json.type]).toEqual([400, 'invalid_object']);
  const dry = await put(id, text(270), '?dry_run=true');
  expect(dry.status).toBe(400);
});

it('restores at most a thousand names at once', async () => {
  const { id, name } = await makeZone();
  const { serial } = (await service.request('GET', `/v2/zones/${id}`, { token })).json;
  const restore = (count: number) => {
    const names = Array.from({ length: count }, (_, at) => `n${at}.${name}`);
    return service.request('POST', `/v2/zones/${id}/restore`, {
      token,
      body: { serial, names, dry_run: true },
    });
  };
  expect((await restore(1000)).status).not.toBe(400);
  const { status, json } = await restore(1001);
  expect([status, json.errors.errors[0].path]).toEqual([400, ['names']]);
});

it('refuses contents of a zone that is being deleted, and of an unknown one', async () => {
  const { id } = await makeZone();
  await service.request('DELETE', `/v2/zones/${id}`, { token });
  const { status, json } = await put(id, 'a 60 A 192.0.2.1\n');
  expect([status, json.type]).toEqual([404, 'zone_not_found']);
});
