/** `tld import` and `tld list`, beside a service that runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';

let service: TestService;
const folder = temporaryFolder();
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());
afterAll(() => folder.remove());

const command = (...args: string[]) => runHere(['tld', ...args], storeOptions(service.dataDir));
const load = (text: string, ...flags: string[]) => {
  const file = join(folder.path, 'tlds.txt');
  writeFileSync(file, text);
  return command('import', file, ...flags);
};
const list = async (): Promise<string> => (await command('list')).out;
const create = async (name: string): Promise<number> => {
  const body = { name, email: 'a@example.org' };
  return (await service.request('POST', '/v2/zones', { token: service.admin, body })).status;
};

it("imports IANA's list, and the service goes by it at once", async () => {
  const iana =
    '\uFEFF# Version 2026112200, Last Updated Sun Nov 22 07:07:01 2026 UTC\r\nCOM\r\nXN--P1AI\r\n\nORG.\ncom\n';
  expect(await create('before.example.')).toBe(202);
  expect(await load(iana)).toEqual({ status: 0, out: 'imported 3, already stored 1\n', err: '' });
  expect(await list()).toBe('com\norg\nxn--p1ai\n');
  expect([await create('after.example.'), await create('after.com.')]).toEqual([400, 202]);
  expect((await load(iana)).out).toBe('imported 0, already stored 4\n');
});

it('imports a public suffix list: a wildcard stands for its parent, and exceptions are left out', async () => {
  const suffixes = '// a comment\nuk // and one more\nco.uk\n\n*.ck\n!www.ck\nрф\n';
  expect(await load(suffixes, '--psl')).toEqual({
    status: 0,
    out: 'imported 4, already stored 0, skipped 1 exceptions\n',
    err: '',
  });
  expect(await list()).toBe('ck\nco.uk\nuk\nxn--p1ai\n');
  expect([await create('www.ck.'), await create('co.uk.'), await create('ck.uk.')]).toEqual([202, 400, 202]);
});

it('prints what it can import again', async () => {
  await load('com\nco.uk\nмосква\n');
  const printed = await list();
  expect((await load(printed)).out).toBe('imported 0, already stored 3\n');
});

it('stores a long list whole', async () => {
  const names = Array.from({ length: 2345 }, (_, number) => `t${number}`);
  expect((await load(names.join('\n'))).out).toBe('imported 2345, already stored 0\n');
  expect((await list()).trimEnd().split('\n')).toEqual(names.sort());
  expect(await create('one.t1234.')).toBe(202);
});

it('stores nothing of a file with a line that cannot be used, and names the line', async () => {
  for (const [text, flag] of [
    ['com\n\na b\n', undefined],
    ['com\nnet\n*.ck\n', undefined],
    ['com\nnet\nw*.ck\n', '--psl'],
    ['com\nnet\nco..uk\n', '--psl'],
  ] as const) {
    const { status, out, err } = await load(text, ...(flag === undefined ? [] : [flag]));
    expect([text, status, out]).toEqual([text, 2, '']);
    expect(err).toMatch(/^zonewarden: Line 3: [^\n]+ Nothing was stored\.\n$/);
  }
  expect(await list()).toBe('');
  expect((await command('import', join(folder.path, 'missing'))).err).toMatch(/cannot be read/);
});

it('leaves zones unrestricted after an empty file', async () => {
  expect(await load('# nothing\n')).toEqual({ status: 0, out: 'imported 0, already stored 0\n', err: '' });
  expect(await create('still.example.')).toBe(202);
});
