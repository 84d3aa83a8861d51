import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startProcess, temporaryFolder, zonewarden } from '../support/process.ts';
import { makeStore, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it('the program as it is built serves, finishes long checks in its worker, and stops', async () => {
  const service = await startProcess({ dataDir: folder.path });
  const body = { pattern: '^(([a-z])+.)+\\2\\.slowly\\.$' };
  const made = await service.request('POST', '/v2/blacklists', { token: service.admin, body });
  expect(made.status).toBe(201);
  const refused = await service.create(`${'abcd'.repeat(15)}.slowly.`);
  expect(refused).toMatchObject({
    status: 400,
    json: { type: 'invalid_zone_name', message: expect.stringContaining('step budget') },
  });
  expect(await service.end()).toMatchObject({ status: 0, signal: null });
});

it('the commands as they are built work on its store', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const command = (...args: string[]) => zonewarden(args, { env: storeOptions(folder.path) });
  expect(await command('--version')).toMatchObject({ status: 0, out: `${version}\n`, err: '' });
  await makeStore(folder.path);
  expect(await command('blacklist', 'import', '-')).toMatchObject({ status: 0 });
  expect(await command('verify')).toMatchObject({ status: 0, err: '' });
});
