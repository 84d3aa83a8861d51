import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import {
  expectSound,
  expectUnavailable,
  newName,
  type Served,
  serveOn,
} from '../../support/postgres/served.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/server.ts';
import type { Answer } from '../../support/process.ts';

const POOL_SIZE = 4;
const QUEUE = 3;
/** One project does not get all connections, nor the whole queue. */
const PROJECTS = ['a', 'b', 'c', 'd'];

let server: PostgresServer;
let served: Served;
let metricsPort: number;
beforeAll(async () => {
  server = await startPostgres({ settings: { fsync: 'off', full_page_writes: 'off' } });
  metricsPort = await freePort();
  const env = {
    ZONEWARDEN_METRICS__LISTEN: `127.0.0.1:${metricsPort}`,
    ZONEWARDEN_STORAGE__POOL_SIZE: String(POOL_SIZE),
    ZONEWARDEN_STORAGE__POOL_QUEUE: String(QUEUE),
    // Nothing ends a wait but a connection.
    ZONEWARDEN_STORAGE__POOL_TIMEOUT: '3600',
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '3600',
    ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '3600',
  };
  served = await serveOn(server, { env });
});
afterAll(async () => {
  await served.remove();
  await server.remove();
});

/** A create, and its answer as soon as it has one. */
interface Create {
  readonly ended: Promise<Answer>;
  answer?: Answer;
}

let keys = 0;

/** Those without a key would wait for one another, and not for connections. */
function create(): Create {
  keys += 1;
  const ended = served.create(newName(), `key-${keys}`, PROJECTS[keys % PROJECTS.length]);
  const one: Create = { ended };
  void ended.then((answer) => {
    one.answer = answer;
  });
  return one;
}

/** Somebody else's transaction that holds what every create needs. */
async function holdRows(): Promise<pg.Client> {
  const holder = new pg.Client({ connectionString: served.connection });
  await holder.connect();
  await holder.query('begin');
  await holder.query('select * from projects for update');
  return holder;
}

/** The connections in use, and what waits for one, as the metrics of the service say. */
async function poolUse(): Promise<{ readonly inUse: number; readonly waiting: number }> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const count = (state: string): number =>
    Number(new RegExp(`^zonewarden_pool_connections\\{.*state="${state}".*\\} (\\d+)$`, 'm').exec(text)![1]);
  return { inUse: count('in use'), waiting: count('waiting') };
}

async function isFull(): Promise<boolean> {
  const { inUse, waiting } = await poolUse();
  // What the service does for itself may wait, too.
  return inUse === POOL_SIZE && waiting >= QUEUE;
}

const unanswered = (all: readonly Create[]) => all.filter(({ answer }) => answer === undefined);

/** Creates one zone after another until some are refused, one of them while all places are taken. */
async function fillQueue(refusals: number): Promise<readonly Create[]> {
  const all: Create[] = [];
  for (;;) {
    all.push(create());
    // Each has a place, or is refused.
    await until(async () => {
      const { inUse, waiting } = await poolUse();
      expect(inUse + waiting >= unanswered(all).length).toBe(true);
    });
    // What the service does for itself takes a place for a moment, too; a create that comes after it gets the place.
    if (all.length - unanswered(all).length >= refusals && (await isFull())) return all;
  }
}

/** The number of creates that wait for the row. */
async function waitingForRow(): Promise<number> {
  const [row] = await server.query(
    `select count(*)::int as n from pg_stat_activity where usename = 'zonewarden' and wait_event_type = 'Lock'`,
  );
  return Number(row!.n);
}

it('refuses one more at once with 503 while it is full, and those in it are served', async () => {
  // What the service does at its start may fill so short a queue, too.
  for (const project of PROJECTS)
    await until(async () => expect((await served.create(newName(), undefined, project)).status).toBe(202));
  const holder = await holdRows();
  // One after another: requests that arrive together share one place for their first reads.
  const all = await fillQueue(4);
  await until(() => expect(unanswered(all).length).toBeLessThanOrEqual(POOL_SIZE + QUEUE));
  const waiting = unanswered(all);
  // Jobs of the service may wait for the row, too.
  expect(await waitingForRow()).toBeGreaterThan(0);
  for (const { answer } of all) if (answer !== undefined) expectUnavailable(answer);
  await holder.end();
  const answers = await Promise.all(waiting.map(({ ended }) => ended));
  // Those in the queue need a connection for each of their steps, and the service needs some for itself.
  for (const answer of answers) if (answer.status !== 202) expectUnavailable(answer);
  expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0);
  const reasons = () => served.service.log.map(({ err }) => (err as { message?: string })?.message).join();
  await until(() => expect(reasons()).toMatch(/\d requests are waiting for a database connection/));
  await until(async () => expect((await served.create()).status).toBe(202));
  await expectSound(served);
});
