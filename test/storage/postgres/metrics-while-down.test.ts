/** The figures while PostgreSQL is down, before a service has started and later. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { namesIn, valueIn } from '../../support/exposition.ts';
import { freePort } from '../../support/free-port.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import { ask, type Captured, spawnService, temporaryFolder, written } from '../../support/process.ts';

let server: PostgresServer;
let folder: ReturnType<typeof temporaryFolder>;
let service: Captured;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  folder = temporaryFolder();
});
afterAll(async () => {
  service.child.kill('SIGKILL');
  await service.ended;
  folder.remove();
  await server.remove();
});

it('they are told while the service starts, and while its database is down, with their age', async () => {
  const [api, figures] = [await freePort(), await freePort()];
  const connection = await server.createDatabase();
  await server.stop();
  service = spawnService({
    dataDir: folder.path,
    env: {
      ZONEWARDEN_SERVICE_API__LISTEN: `127.0.0.1:${api}`,
      ZONEWARDEN_METRICS__LISTEN: `127.0.0.1:${figures}`,
      ZONEWARDEN_STORAGE__CONNECTION: connection,
      ZONEWARDEN_STORAGE__POOL_TIMEOUT: '1',
      ZONEWARDEN_STORAGE__START_TIMEOUT: '86400',
    },
  });
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${figures}/metrics`);
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const health = async () => (await ask(`http://127.0.0.1:${api}`, 'GET', '/healthcheck')).status;

  await written(service, 'err', /waiting for the database/);
  const starting = await scrape();
  expect(namesIn(starting)).toContain('zonewarden_zones');
  // Nobody knows yet how many there are.
  expect(valueIn(starting, 'zonewarden_zones')).toBeUndefined();
  expect(valueIn(starting, 'process_start_time_seconds')).toBeGreaterThan(0);
  expect(await health()).toBe(503);

  await server.start();
  await written(service, 'out', /^listening on /);
  await until(async () => expect(valueIn(await scrape(), 'zonewarden_zones')).toBe(0));

  await server.stop();
  await until(async () => expect(await health()).toBe(503));
  const age = async () =>
    valueIn(await scrape(), 'zonewarden_store_figures_age_seconds', { figures: 'counts' })!;
  const before = await age();
  await until(async () => expect(await age()).toBeGreaterThan(before));
  expect(valueIn(await scrape(), 'zonewarden_zones')).toBe(0);
});
