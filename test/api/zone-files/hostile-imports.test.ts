/** Files of blacklists as nobody should send them. */

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { itInFullRun } from '../../support/in-full-run.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';

const MOST = 4_000_000;
const SECONDS = 2;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_BLACKLISTS__MAX_IMPORT_SIZE: String(MOST),
    ZONEWARDEN_SERVICE_API__REQUEST_TIMEOUT: String(SECONDS),
    ZONEWARDEN_SERVICE_API__MIN_UPLOAD_RATE: '8192',
  });
});
afterAll(() => service.remove());

const send = (body: string | Uint8Array, query = ''): Promise<Answer> =>
  service.request('POST', `/v2/blacklists/import${query}`, {
    token: service.admin,
    headers: { 'content-type': 'text/plain' },
    body,
  });

async function over({ status, json }: Answer): Promise<Answer['json']> {
  expect([status, json.type]).toEqual([202, undefined]);
  return eventually(async () => {
    const path = `/v2/blacklists/imports/${json.id}`;
    const task = (await service.request('GET', path, { token: service.admin })).json;
    return task.status === 'ACTIVE' ? undefined : task;
  });
}
const imported = async (body: string | Uint8Array, query?: string) => over(await send(body, query));

/** The only row of a count. */
async function countOf(what: string): Promise<number> {
  return Number((await inStoreOf(service.dataDir, `select count(*) as total from ${what}`))[0]!.total);
}
const seen = async (): Promise<Answer['json'][]> =>
  (await service.request('GET', '/v2/blacklists?limit=1000', { token: service.admin })).json.blacklists;

/** How many there are for those who ask. */
async function countedAsSeen(): Promise<{ readonly total: number }> {
  const { text } = await service.request('GET', '/v2/blacklists', {
    token: service.admin,
    headers: { accept: 'application/jsonl' },
  });
  return { total: text.split('\n').length - 1 };
}

afterEach(async () => {
  const isQuiet = async () => ((await countOf('blacklist_tasks where is_over = 0')) === 0 ? true : undefined);
  await eventually(isQuiet);
  expect(await runHere(['verify'], storeOptions(service.dataDir))).toMatchObject({ status: 0 });
  const { total } = await countedAsSeen();
  expect(await countOf('blacklists')).toBe(total);
  await over(
    await service.request('POST', '/v2/blacklists/import?list=one&sync=true', {
      token: service.admin,
      headers: { 'content-type': 'text/plain' },
      body: '',
    }),
  );
});

itInFullRun('lines of the greatest length are taken, and longer ones are faults', async () => {
  const lines = Array.from({ length: 20 }, (_, i) => `^${String(i).padStart(4095, 'x')}`);
  expect(await imported(lines.join('\n'), '?list=one')).toMatchObject({ status: 'COMPLETE', added: 20 });
  const longer = await imported(lines.map((line) => `${line}x`).join('\n'), '?list=one');
  expect(longer).toMatchObject({ status: 'ERROR', fault_count: 20, added: 0 });
  expect(longer.faults[19]).toMatchObject({ line: 20, message: expect.stringContaining('4096') });
});

it('a file of one line is refused where the line is too long for any text, and where the file is too large', async () => {
  const task = await imported('x'.repeat(2_000_000), '?list=one');
  expect(task).toMatchObject({ status: 'ERROR', fault_count: 1 });
  expect(task.faults[0]).toMatchObject({ line: 1, message: expect.stringContaining('1048576') });
  expect(await send('x'.repeat(MOST + 1), '?list=one')).toMatchObject({
    status: 413,
    json: { type: 'request_too_large' },
  });
});

it('lines that all say the same are one entry', async () => {
  const task = await imported(`${'^same\\.$\n'.repeat(5000)}`, '?list=one');
  expect(task).toMatchObject({ status: 'COMPLETE', added: 1, present: 4999, lines: 5000 });
  expect((await seen()).map(({ pattern }) => pattern)).toEqual(['^same\\.$']);
});

it('lines may end in CR LF, and begin with a byte order mark', async () => {
  await imported('\uFEFF^a\\.$\r\n\r\n^b\\.$\r\n', '?list=one');
  expect((await seen()).map(({ pattern }) => pattern).sort()).toEqual(['^a\\.$', '^b\\.$']);
});

it.each([
  ['a NUL', '^a\\.$\n^b\0\\.$\n', { line: 2 }],
  ['bytes that are no UTF-8', Buffer.from([0x5e, 0x61, 0x0a, 0xff, 0xfe]), {}],
  ['half a character at its end', Buffer.from([0x5e, 0x61, 0x0a, 0xe2, 0x82]), {}],
])('a file with %s is refused, and nothing of it is stored', async (_what, body, fault) => {
  const task = await imported(body, '?list=one');
  expect(task).toMatchObject({ status: 'ERROR', added: 0, revision: null, message: expect.any(String) });
  expect(task.faults[0] ?? {}).toMatchObject(fault);
  expect(await seen()).toEqual([]);
});

/** Announces more than it sends. */
function begin(bytes: number, sent: string) {
  const uploading = httpRequest(`${service.url}/v2/blacklists/import?list=one`, {
    method: 'POST',
    headers: { 'x-auth-token': service.admin, 'content-type': 'text/plain', 'content-length': bytes },
  });
  uploading.on('error', () => {});
  uploading.write(sent);
  return uploading;
}
const many = (count: number) => Array.from({ length: count }, (_, i) => `^n${i}\\.example\\.$\n`).join('');

it('a connection that breaks in the middle leaves nothing behind, and the next import is not in its way', async () => {
  const cut = begin(1_000_000, many(3000));
  await until(async () =>
    expect(await countOf('blacklists where arrives <> 0')).toBeGreaterThanOrEqual(2000),
  );
  cut.destroy();
  await until(async () => expect(await countOf('blacklists')).toBe(0));
  const next = await eventually(async () => {
    const answer = await send(many(10), '?list=one');
    return answer.status === 409 ? undefined : answer;
  });
  expect(await over(next)).toMatchObject({ status: 'COMPLETE', added: 10 });
});

itInFullRun('a sender that stops is refused in time, and nothing is left behind', async () => {
  const [response] = await once(begin(1_000_000, many(3000)), 'response');
  expect(response.statusCode).toBe(408);
  await until(async () => expect(await countOf('blacklists')).toBe(0));
});

itInFullRun('a large file that arrives steadily is taken, however long it takes', async () => {
  const filler = '\n'.repeat(1_100_000);
  const parts = Array.from({ length: 3 * SECONDS }, (_, i) => `^slow${i}\\.$\n${'\n'.repeat(60_000)}`);
  const size = filler.length + parts.reduce((sum, { length }) => sum + length, 0);
  const uploading = begin(size, filler);
  const answer = once(uploading, 'response');
  for (const part of parts) {
    // The time is what is tried here: the file takes longer than one request of any other kind may.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    uploading.write(part);
  }
  uploading.end();
  const [response] = await answer;
  expect(response.statusCode).toBe(202);
  response.resume();
});

it('of ten imports at once one is taken at a time, and the others are told', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => send(many(2000 + i), '?list=one&sync=true')),
  );
  const taken = answers.filter(({ status }) => status === 202);
  expect(taken.length).toBeGreaterThan(0);
  for (const { status, json } of answers)
    if (status !== 202) expect([status, json.type]).toEqual([409, 'lists_busy']);
  for (const answer of taken) expect(await over(answer)).toMatchObject({ status: 'COMPLETE' });
});
