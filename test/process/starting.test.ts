import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ask, logLines, spawnService, temporaryFolder, written } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { makeStore, storeOptions } from '../support/store.ts';
import { holdWriteLock, PATIENT } from '../support/write-lock.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** An address that nobody listens on. */
async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return `127.0.0.1:${port}`;
}

it('says "starting" on an open socket until the store is ready, then serves and builds the blacklist index', async () => {
  const patterns = Array.from({ length: 2500 }, (_, number) => `^name${number}\\.example\\.$`).join('\n');
  const list = join(folder.path, 'patterns');
  writeFileSync(list, patterns);
  await makeStore(folder.path);
  const imported = await runHere(['blacklist', 'import', list], storeOptions(folder.path));
  expect(imported).toMatchObject({ status: 0 });
  // A service that starts proves that it can write: it starts for as long as another process keeps it from that.
  const lock = await holdWriteLock(folder.path);
  const address = await freeAddress();
  const env = { ...PATIENT, ZONEWARDEN_SERVICE_API__LISTEN: address };
  const service = spawnService({ dataDir: folder.path, env });
  try {
    const health = () => ask(`http://${address}`, 'GET', '/healthcheck').catch(() => undefined);
    const first = await eventually(health);
    expect(first).toMatchObject({ status: 503, json: { code: 503, type: 'starting' } });
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/healthcheckup'],
      ['POST', '/v2/zones'],
      ['DELETE', '/nowhere'],
    ] as const) {
      const refused = await ask(`http://${address}`, method, path, method === 'POST' ? { body: {} } : {});
      expect(refused).toMatchObject({ status: 503, json: { code: 503, type: 'service_unavailable' } });
      expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect(refused.headers.get('x-openstack-request-id')).toBe(refused.json.request_id);
    }
    expect(await ask(`http://${address}`, 'GET', '/livez')).toMatchObject({ status: 200 });
    const head = await ask(`http://${address}`, 'HEAD', '/healthcheck/');
    expect(head).toMatchObject({ status: 503, json: undefined });
    expect(service.out).toBe('');
    await lock.release();
    expect((await written(service, 'out', /^listening on (.*)\n/))[1]).toBe(`http://${address}`);
    expect(await health()).toMatchObject({ status: 200 });
    await written(service, 'err', /"built the blacklist index"/);
    const ofIndex = logLines(service.err).filter(({ msg }) => String(msg).endsWith('blacklist index'));
    expect(ofIndex.at(-1)).toMatchObject({ msg: 'built the blacklist index', patterns: 2500 });
    const times = ofIndex.slice(0, -1).map(({ time }) => Date.parse(String(time)));
    for (const [at, time] of times.slice(1).entries()) expect(time - times[at]!).toBeGreaterThanOrEqual(999);
  } finally {
    service.child.kill('SIGKILL');
    await service.ended;
  }
});
