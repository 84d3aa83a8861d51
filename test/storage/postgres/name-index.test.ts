/** The index of names needs an extension, which a role may not be allowed to create. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import { startProcess, temporaryFolder } from '../../support/process.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

it('serves and searches without the index where the role may not create the extension, and says so once', async () => {
  const folder = temporaryFolder();
  const connection = await server.createDatabase('restricted');
  // The owner may create it, as it is trusted: so this database belongs to somebody else.
  const { username } = new URL(connection);
  await server.query('alter database restricted owner to current_user');
  await server.query(`grant all on schema public to ${username}`, [], 'restricted');
  const service = await startProcess({
    dataDir: folder.path,
    env: { ZONEWARDEN_STORAGE__CONNECTION: connection },
  });
  try {
    for (const name of ['shop.example.', 'webshop.test.', 'other.test.']) {
      expect((await service.create(name)).status).toBe(202);
    }
    await eventually(() => /Create the extension pg_trgm/.test(service.output.err) || undefined);
    const found = await service.request('GET', '/v2/zones?name=*sho*', { token: service.admin });
    expect(found.json).toMatchObject({
      zones: [{ name: 'shop.example.' }, { name: 'webshop.test.' }],
      metadata: { total_count: 2 },
    });
    const indexes = "select 1 from pg_class where relname = 'zones_name_trigrams'";
    expect(await server.query(indexes, [], 'restricted')).toEqual([]);
    const ofProtection =
      "select 1 from pg_index where indexrelid = to_regclass('recordsets_protected') and indisvalid";
    await eventually(async () => (await server.query(ofProtection, [], 'restricted'))[0]);
  } finally {
    await service.end();
    folder.remove();
  }
});
