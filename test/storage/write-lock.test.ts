import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandsOn, type ServiceProcess, startProcess, temporaryFolder } from '../support/process.ts';
import { holdWriteLock, PATIENT } from '../support/write-lock.ts';

let folder: ReturnType<typeof temporaryFolder>;
let service: ServiceProcess;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await service.end('SIGKILL');
  folder.remove();
});

async function start(options: Readonly<Record<string, string>>): Promise<void> {
  const env = { ...options, ZONEWARDEN_DEFAULT__QUOTA_ZONES: '5' };
  service = await startProcess({ dataDir: folder.path, env });
}

const hold = () => holdWriteLock(folder.path);
const names = (count: number) => Array.from({ length: count }, (_, number) => `zone${number}.example.`);

async function total(): Promise<number> {
  const list = await service.request('GET', '/v2/zones', { token: service.admin });
  expect(list.status).toBe(200);
  return list.json.metadata.total_count;
}

describe('while another process holds the write lock', () => {
  it('reads answer; creates wait, and succeed when it lets go, as far as the quota has room', async () => {
    await start(PATIENT);
    const lock = await hold();
    let answered = 0;
    const creates = names(8).map((name) => service.create(name).finally(() => answered++));
    for (let time = 0; time < 20; time++) {
      expect(await total()).toBe(0);
      const token = service.admin;
      expect((await service.request('GET', '/v2/blacklists', { token })).json.blacklists).toEqual([]);
      expect((await service.request('GET', '/v2/quotas/admin/usage', { token })).json.usage.zones).toBe(0);
    }
    expect(answered).toBe(0);
    await lock.release();
    const statuses = (await Promise.all(creates)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 202, 202, 202, 202, 413, 413, 413]);
    expect(await total()).toBe(5);
  });

  it('a command waits too, and does its work when it is its turn', async () => {
    await start({ ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '1' });
    const lock = await hold();
    const command = commandsOn(folder.path)(['token', 'create', '--project', 'p', '--role', 'reader'], {
      env: PATIENT,
    });
    expect((await service.create('zone0.example.')).status).toBe(503);
    await lock.release();
    const { status, out } = await command;
    expect(status).toBe(0);
    expect((await service.request('GET', '/v2/zones', { token: out.trim() })).status).toBe(200);
  });
});
