import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { giveEventKey } from '../support/event-key.ts';
import { type ServiceProcess, spawnService, startProcess, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { isOnPostgres, shareDatabase, storeOptions } from '../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
const running: ServiceProcess[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.end('SIGKILL')));
  folder.remove();
});

async function start(): Promise<ServiceProcess> {
  const service = await startProcess({ dataDir });
  running.push(service);
  return service;
}

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const tokens = async () =>
  (await runHere(['token', 'list'], storeOptions(dataDir))).out.trimEnd().split('\n').slice(1);

describe('a first start', () => {
  it('makes the data folder for its owner alone, and the first token too; the log names its path, never the token', async () => {
    const service = await start();
    expect(mode(dataDir)).toBe('700');
    const files = readdirSync(dataDir);
    expect(files).toContain('admin.token');
    expect(files.map((file) => [file, mode(join(dataDir, file))])).toEqual(
      files.map((file) => [file, '600']),
    );
    expect(readFileSync(join(dataDir, 'admin.token'), 'utf8')).toMatch(
      /^zw_[0-9a-f]{16}_[A-Za-z0-9_-]{43}\n$/,
    );
    expect((await service.request('GET', '/v2/blacklists', { token: service.admin })).status).toBe(200);
    const token = service.admin;
    const { out, err } = await service.end();
    expect(err).toContain(join(dataDir, 'admin.token'));
    expect(out + err).not.toContain(token.split('_').slice(2).join('_'));
  });

  it('writes the first token through no link: what a link leads to stays as it is', async () => {
    const victim = join(folder.path, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(dataDir, { mode: 0o700 });
    for (const name of ['admin.token', 'admin.token.new']) symlinkSync(victim, join(dataDir, name));
    const service = await start();
    expect((await service.request('GET', '/v2/blacklists', { token: service.admin })).status).toBe(200);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(lstatSync(join(dataDir, 'admin.token')).isFile()).toBe(true);
    expect(mode(join(dataDir, 'admin.token'))).toBe('600');
    expect(readdirSync(dataDir)).not.toContain('admin.token.new');
  });

  it('makes the only first token: a second start makes none, and the first goes on working', async () => {
    const first = await start();
    const token = first.admin;
    await first.end();
    const second = await start();
    expect(second.admin).toBe(token);
    expect((await second.request('GET', '/v2/zones', { token })).status).toBe(200);
    expect(second.output.err).not.toContain('admin.token');
    expect(await tokens()).toHaveLength(1);
  });

  // The embedded database is in the folder.
  if (isOnPostgres()) {
    it('needs a place for the token; processes that come later need no data folder', async () => {
      const nowhere = join(folder.path, 'file', 'data');
      writeFileSync(join(folder.path, 'file'), '');
      shareDatabase(dataDir, nowhere);
      const env = { ZONEWARDEN_EVENTS__KEY_FILE: giveEventKey(dataDir) };
      const refused = await spawnService({ dataDir: nowhere, env }).ended;
      expect(refused).toMatchObject({ status: 2, out: '' });
      expect(refused.err).toMatch(/^zonewarden: [^\n]*admin\.token[^\n]*\n$/);
      const first = await start();
      const second = await startProcess({ dataDir: nowhere, env });
      running.push(second);
      expect((await second.request('GET', '/v2/zones', { token: first.admin })).status).toBe(200);
    });
  }

  it('whose token cannot be written down leaves no token behind', async () => {
    mkdirSync(join(dataDir, 'admin.token', 'in-the-way'), { recursive: true });
    const { status, out, err } = await spawnService({ dataDir }).ended;
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]*admin\.token[^\n]*\n$/);
    expect(await tokens()).toEqual([]);
  });
});
