import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ServiceProcess, startProcess, temporaryFolder } from '../../support/process.ts';
import { holdWriteLock } from '../../support/write-lock.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await service.end('SIGKILL');
  folder.remove();
});

async function start(busyTimeout: number): Promise<void> {
  const env = { ZONEWARDEN_STORAGE__BUSY_TIMEOUT: String(busyTimeout), ZONEWARDEN_DEFAULT__QUOTA_ZONES: '5' };
  service = await startProcess({ dataDir: folder.path, env });
}

async function total(): Promise<number> {
  const list = await service.request('GET', '/v2/zones', { token: service.admin });
  expect(list.status).toBe(200);
  return list.json.metadata.total_count;
}

it('creates that have waited for busy_timeout answer 503 together, none after the other, and leave nothing behind', async () => {
  await start(2);
  const lock = await holdWriteLock(folder.path);
  const creates = Array.from({ length: 10 }, (_, number) => service.create(`zone${number}.example.`));
  // A create that began to wait now, when the first has waited in vain, would get the lock.
  await Promise.race(creates);
  await lock.release();
  for (const { status, headers, json } of await Promise.all(creates)) {
    expect({ status, type: json.type }).toEqual({ status: 503, type: 'service_unavailable' });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  expect(await total()).toBe(0);
  expect((await service.create('zone0.example.')).status).toBe(202);
  expect(await total()).toBe(1);
});
