import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newName, type Served, serveOn } from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import { PATIENT } from '../../support/write-lock.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
});
afterAll(() => server.remove());

it('a service serves while its blacklist index is built; creates wait for the index', async () => {
  // Jobs that read blacklists hold connections meanwhile.
  const env = { ...PATIENT, ZONEWARDEN_STORAGE__POOL_SIZE: '20' };
  const first = await serveOn(server, { env });
  const token = first.service.admin;
  const refused = newName();
  const pattern = `^${refused.replaceAll('.', '\\.')}$`;
  await first.service.request('POST', '/v2/blacklists', { token, body: { pattern } });
  const holder = new pg.Client({ connectionString: first.connection });
  await holder.connect();
  await holder.query('begin; lock table blacklists');
  let second: Served | undefined;
  try {
    second = await serveOn(server, { connection: first.connection, env });
    const { request } = second.service;
    const create = (name: string) =>
      request('POST', '/v2/zones', { token, body: { name, email: 'hostmaster@example.org' } });
    let isAnswered = false;
    const answers = Promise.all([create(refused), create(newName())]).finally(() => {
      isAnswered = true;
    });
    for (let round = 0; round < 20; round++)
      expect(await request('GET', '/v2/zones', { token })).toMatchObject({ status: 200 });
    expect(isAnswered).toBe(false);
    await holder.query('commit');
    expect(await answers).toMatchObject([
      { status: 400, json: { type: 'invalid_zone_name' } },
      { status: 202 },
    ]);
  } finally {
    await holder.end();
    await second?.remove();
    await first.remove();
  }
});
