/** What is asked on the command line before anything is created. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';

let service: TestService;
let entry: string;
beforeAll(async () => {
  service = await startTestService();
  const token = await service.token('mine', 'member');
  for (const name of ['www.brand.example.', 'plain.example.']) {
    const body = { name, email: 'a@example.org' };
    expect((await service.request('POST', '/v2/zones', { token, body })).status).toBe(202);
  }
  const body = { pattern: '(^|\\.)brand\\.' };
  entry = (await service.request('POST', '/v2/blacklists', { token: service.admin, body })).json.id;
});
afterAll(() => service.remove());

const here = (...args: string[]) => runHere(args, storeOptions(service.dataDir));

it('blacklist preview prints the zones that a pattern matches, and says how many there are', async () => {
  const found = await here('blacklist', 'preview', 'brand');
  expect(found).toMatchObject({ status: 1, out: 'www.brand.example.\tmine\n' });
  expect(found.err).toContain('1 of 2 zones match, 0 could not be decided');
  const asJson = await here('blacklist', 'preview', '--id', entry, '--json');
  expect(JSON.parse(asJson.out)).toMatchObject({ name: 'www.brand.example.', project_id: 'mine' });
  expect(await here('blacklist', 'preview', '^nothing$')).toMatchObject({ status: 0, out: '' });
});

it('blacklist preview says what is wrong with a pattern, and warns', async () => {
  expect(await here('blacklist', 'preview', '(')).toMatchObject({ status: 2, out: '' });
  expect((await here('blacklist', 'preview', 'example.com')).err).toContain('warning: ');
  expect((await here('blacklist', 'preview')).err).toContain('--id');
});

it('zone check tells what a create would meet, and the room that is left', async () => {
  expect(await here('zone', 'check', 'free.example', '--project', 'mine')).toMatchObject({
    status: 0,
    out: 'free.example. would succeed\nzones left: 8\n',
  });
  const refused = await here('zone', 'check', 'brand.example.', '--project', 'other');
  expect(refused.status).toBe(1);
  expect(refused.out).toContain('would be refused: Blacklisted domain name');
  expect((await here('zone', 'check', 'below.plain.example.', '--project', 'other')).status).toBe(1);
  expect((await here('zone', 'check', 'free.example.')).status).toBe(2);
});
