import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ConnectionPool } from '../../../src/storage/postgres/pool.ts';
import { transactionsOver } from '../../../src/storage/postgres/transactions.ts';
import { until } from '../../support/eventually.ts';
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

it('transactions of one project leave connections for those of others', async () => {
  const pool = new ConnectionPool({ ...storeSettings(folder.path).postgres!, poolSize: 4 }, 1000);
  const transaction = transactionsOver(pool);
  const ends: (() => void)[] = [];
  /** A transaction that lasts until it is ended. */
  const lasting = (project: string) =>
    transaction(() => new Promise<void>((resolve) => void ends.push(resolve)), project);
  const many = Array.from({ length: 20 }, () => lasting('many'));
  await until(() => expect(ends).toHaveLength(2));
  const few = [lasting('few'), lasting('fewer')];
  await until(() => expect(ends).toHaveLength(4));
  expect(pool.load).toEqual({ open: 4, idle: 0, waiting: 18 });
  const all = Promise.all([...many, ...few]);
  for (let ended = 0; ended < 22; ended++) {
    await until(() => expect(ends.length).toBeGreaterThan(ended));
    ends[ended]!();
  }
  await all;
  await pool.close();
});
