import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConnectionPool } from '../../../src/storage/postgres/pool.ts';
import { temporaryFolder } from '../../support/process.ts';
import { inStoreOf, storeSettings } from '../../support/store.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

it.each([
  ['off', 'on'],
  ['remote_apply', 'remote_apply'],
])(
  'a database whose commits are %s commits with %s, so that what is answered is on disk',
  async (set, used) => {
    const settings = storeSettings(folder.path).postgres!;
    const { pathname } = new URL(settings.connection);
    await inStoreOf(folder.path, `alter database ${pathname.slice(1)} set synchronous_commit to ${set}`);
    const pool = new ConnectionPool(settings, 1000);
    const { rows } = await pool.use((session) => sql`show synchronous_commit`.execute(session.now));
    await pool.close();
    expect(rows).toEqual([{ synchronous_commit: used }]);
  },
);
