import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { serverOwner } from '../../support/postgres/binaries.ts';
import { processesOf } from '../../support/postgres/keeper.ts';
import { expectSound, expectUnavailable, type Served, serveOn } from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';

let server: PostgresServer;
let served: Served;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', autovacuum: 'off' } });
  served = await serveOn(server);
});
afterAll(async () => {
  await served.remove();
  await server.remove();
});

/** The size of a segment of the write-ahead log: the least that every file may have. */
const SEGMENT = 16 * 1024 * 1024;

/** How large a file of the server may become, from now on. */
function limitFiles(size: string): void {
  // A limit can be set by whoever the process belongs to.
  const owner = { ...serverOwner(), stdio: 'pipe' as const };
  for (const pid of processesOf(server.dataDir)) {
    try {
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:`], owner);
    } catch (error) {
      // One that has ended since it was listed needs no limit.
      if (!/No such process/.test((error as Error).message)) throw error;
    }
  }
}

/** An index that is made concurrently waits for whoever waits to change its table. */
const NAMES_ARE_INDEXED = `select exists (select 1 from pg_index where indexrelid = to_regclass('zones_name_trigrams') and indisvalid)
  or not exists (select 1 from pg_available_extensions where name = 'pg_trgm') as done`;

it('a server that has no room: 503 for what writes, reads go on, nothing is half, and recovery by itself', async () => {
  expect((await served.create()).status).toBe(202);
  const database = new URL(served.connection).pathname.slice(1);
  await eventually(async () => {
    const [row] = await server.query(NAMES_ARE_INDEXED, [], database);
    return row?.done === true ? true : undefined;
  });
  // The file of the zones becomes as large as one may be; what makes it so large is taken back, and not cleared away.
  await server.query(
    `begin;
     insert into zones select made.* from zones, generate_series(1, 30000) as n, jsonb_populate_record(zones,
       jsonb_build_object('id', gen_random_uuid(), 'name', n, 'subtree_key', n, 'description', repeat('x', 600))) as made;
     rollback;
     -- What is left of its pages takes no row any more: the next one needs a new page.
     alter table zones set (fillfactor = 10)`,
    [],
    database,
  );
  limitFiles(String(SEGMENT));
  let answer = await served.create();
  while (answer.status === 202) answer = await served.create();
  expectUnavailable(answer);
  for (let time = 0; time < 10; time++) {
    const refused = await served.create();
    if (refused.status !== 202) expectUnavailable(refused);
    expect((await served.list()).status).toBe(200);
  }
  await expectSound(served);
  limitFiles('unlimited');
  for (let time = 0; time < 30; time++) expect((await served.create()).status).toBe(202);
  await expectSound(served);
  expect(JSON.stringify(served.service.log)).toMatch(/could not extend file/);
});
