import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

const PAGE_BYTES = 4096;
const TEXT = 'in the damaged pages';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService();
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

/** Overwrites the pages of the database that contain the text, and only those. */
function damagePagesWith(text: string): void {
  const file = join(service.dataDir, 'zonewarden.db');
  const bytes = readFileSync(file);
  const descriptor = openSync(file, 'r+');
  for (let at = bytes.indexOf(text); at !== -1; at = bytes.indexOf(text, at + 1)) {
    const page = Math.floor(at / PAGE_BYTES) * PAGE_BYTES;
    writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, page);
  }
  closeSync(descriptor);
}

it('only reads of a damaged part of the database are answered 503, whether a thread runs them or not', async () => {
  const lines = Array.from({ length: 400 }, (_, at) => `h${at} 60 TXT "${TEXT}"`);
  const { zone_id: zoneId } = (await importFile(service, token, zoneFile('shop.example.', ...lines))).json;
  const other = (await importFile(service, token, zoneFile('other.example.'))).json.zone_id;
  const begun = await service.request('POST', `/v2/zones/${zoneId}/tasks/export`, { token });
  const path = `/v2/zones/${zoneId}/recordsets`;
  const [recordset] = (await service.request('GET', `${path}?name=h7.shop.example.`, { token })).json
    .recordsets;
  // Writes everything into the file.
  await service.restart();
  damagePagesWith(TEXT);
  // A commit of somebody else empties the caches.
  await service.token('other', 'member');
  const unavailable = {
    status: 503,
    json: { message: expect.stringContaining('The storage is unreachable') },
  };
  const file = `/v2/zones/tasks/exports/${begun.json.id}/export`;
  for (const damaged of [file, `${path}?limit=max`, `${path}/${recordset.id}`]) {
    expect(await service.request('GET', damaged, { token })).toMatchObject(unavailable);
  }
  expect((await service.request('GET', `/v2/zones/${other}`, { token })).status).toBe(200);
  const verified = await runHere(['verify'], storeOptions(service.dataDir));
  expect([verified.status, verified.err]).toEqual([1, '']);
  expect(verified.out).toMatch(/^database file: .+\n/);
});
