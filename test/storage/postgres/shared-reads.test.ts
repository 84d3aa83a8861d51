import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { ConnectionPool } from '../../../src/storage/postgres/pool.ts';
import { readerOver } from '../../../src/storage/postgres/transactions.ts';
import { temporaryFolder } from '../../support/process.ts';
import { inStoreOf, storeSettings } from '../../support/store.ts';

const folder = temporaryFolder();
const pool = new ConnectionPool(storeSettings(folder.path).postgres!, 1000);
const reader = readerOver(pool);
afterAll(async () => {
  await pool.close();
  folder.remove();
});

interface Read {
  readonly pid: number;
  readonly number: number;
}

/** The process of the server that runs a read, and the quotient of two numbers. */
async function read(dividend: number, divisor: number): Promise<Read> {
  const quotient = sql`${dividend}::integer / ${divisor}::integer`;
  const { rows } = await sql<Read>`select pg_backend_pid() as pid, ${quotient} as number`.execute(reader);
  return rows[0]!;
}

it('reads that begin together share connections, eight at most, and each gets its own rows', async () => {
  const found = await Promise.all(Array.from({ length: 20 }, (_, number) => read(number, 1)));
  expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, number) => number));
  const shares = new Map<number, number>();
  for (const { pid } of found) shares.set(pid, (shares.get(pid) ?? 0) + 1);
  expect([...shares.values()].sort()).toEqual([4, 8, 8]);
});

it('a read that fails leaves alone those that share its connection', async () => {
  const ends = await Promise.allSettled([read(1, 1), read(1, 0), read(3, 1)]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await read(4, 1)).number).toBe(4);
});

it('a connection that ends under several reads is replaced, and all are answered', async () => {
  await inStoreOf(folder.path, 'create sequence reads');
  // It is repeated after the loss, and ends no second connection.
  const first = sql`select pg_terminate_backend(pg_backend_pid()) where nextval('reads') = 1`.execute(reader);
  const [one, , two, three] = await Promise.all([read(1, 1), first, read(2, 1), read(3, 1)]);
  expect([one, two, three].map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(await inStoreOf(folder.path, 'select last_value from reads')).toEqual([{ last_value: '2' }]);
  expect(await Promise.all([read(5, 1), read(6, 1)])).toMatchObject([{ number: 5 }, { number: 6 }]);
});

it('reads fail together when there is no server', async () => {
  const settings = { ...storeSettings(folder.path).postgres!, connection: 'postgresql://127.0.0.1:1/none' };
  const broken = new ConnectionPool(settings, 1000);
  const missing = readerOver(broken);
  const ends = await Promise.allSettled([1, 2].map(() => sql`select 1`.execute(missing)));
  await broken.close();
  for (const end of ends)
    expect(end).toMatchObject({ status: 'rejected', reason: { kind: 'storage_unavailable' } });
});
