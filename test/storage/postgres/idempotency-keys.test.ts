import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type ServiceProcess, startProcess, temporaryFolder } from '../../support/process.ts';
import { storeSettings } from '../../support/store.ts';

/** The most answers of one project. */
const MAX_ANSWERS = 25;

let folders: ReturnType<typeof temporaryFolder>[];
let services: ServiceProcess[];
let admin: string;
let database: pg.Client;

/** Two processes on one database. */
beforeEach(async () => {
  folders = [temporaryFolder(), temporaryFolder()];
  services = [];
  const { connection } = storeSettings(folders[0]!.path).postgres!;
  const env = {
    ZONEWARDEN_STORAGE__CONNECTION: connection,
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '3600',
    ZONEWARDEN_STORAGE__STATEMENT_TIMEOUT: '3600',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '1000',
    ZONEWARDEN_SERVICE_API__MAX_IDEMPOTENCY_KEYS: String(MAX_ANSWERS),
  };
  for (const { path } of folders) services.push(await startProcess({ dataDir: path, env }));
  admin = services[0]!.admin;
  database = new pg.Client({ connectionString: connection });
  await database.connect();
});
afterEach(async () => {
  await database.end();
  for (const service of services) await service.end('SIGKILL');
  for (const folder of folders) folder.remove();
});

const body = { name: 'once.example.org.', email: 'hostmaster@example.org' };

function create(service: ServiceProcess, key = 'k', asked: object = body): Promise<Answer> {
  const request = { token: admin, body: asked, headers: { 'idempotency-key': key } };
  return service.request('POST', '/v2/zones', request);
}

/** Keeps zones from being written, and begins to create one, which takes its key and then waits. */
async function beginCreate(service: ServiceProcess): Promise<{ answer: Promise<Answer | undefined> }> {
  await database.query('begin; lock table zones in exclusive mode');
  const answer = create(service).catch(() => undefined);
  await eventually(async () => {
    const waiting = await database.query(
      "select 1 from pg_locks where not granted and relation = 'zones'::regclass",
    );
    return waiting.rowCount === 0 ? undefined : true;
  });
  return { answer };
}

async function zones(): Promise<unknown[]> {
  return (await services[1]!.request('GET', '/v2/zones?limit=max', { token: admin })).json.zones;
}

it('what one process has begun is running for another one, which later gives its answer', async () => {
  const [first, second] = services as [ServiceProcess, ServiceProcess];
  const { answer } = await beginCreate(first);
  const refused = await create(second);
  expect([refused.status, refused.json.type]).toEqual([409, 'idempotency_key_running']);
  expect(refused.headers.get('retry-after')).toBe('1');
  await database.query('rollback');
  const created = (await answer)!;
  expect(created.status).toBe(202);
  const again = await create(second);
  expect([again.status, again.json]).toEqual([202, created.json]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await create(second, 'k', { ...body, ttl: 60 })).status).toBe(422);
  expect(await zones()).toHaveLength(1);
});

it('what a process that is killed has begun leaves the key free', async () => {
  const [first, second] = services as [ServiceProcess, ServiceProcess];
  const { answer } = await beginCreate(first);
  await first.end('SIGKILL');
  await answer;
  expect((await create(second)).status).toBe(409);
  await database.query('rollback');
  const created = await eventually(async () => {
    const next = await create(second);
    return next.status === 409 ? undefined : next;
  });
  expect([created.status, created.headers.has('idempotency-replayed')]).toEqual([202, false]);
  expect(await zones()).toHaveLength(1);
});

it('waiting for a key changes nothing about how long the next locks are waited for', async () => {
  const [first] = services as [ServiceProcess];
  const { answer } = await beginCreate(first);
  let isAnswered = false;
  void answer.then(() => {
    isAnswered = true;
  });
  // Longer than anybody waits for a key.
  const long = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and clock_timestamp() - state_change > interval '400 ms'`;
  await eventually(async () =>
    (await database.query(long)).rowCount === 1 || isAnswered ? true : undefined,
  );
  expect(isAnswered).toBe(false);
  await database.query('rollback');
  expect((await answer)!.status).toBe(202);
});

it('however many requests come to both with one key, each key creates one thing, and has one answer', async () => {
  const keys = Array.from({ length: MAX_ANSWERS }, (_, number) => `key-${number}`);
  const requests = keys.flatMap((key) =>
    services.flatMap((service) => [1, 2, 3].map(() => ({ key, service }))),
  );
  const answers = await Promise.all(
    requests.map(async ({ key, service }) => {
      const asked = { ...body, name: `${key}.example.org.` };
      const answer = await eventually(async () => {
        const one = await create(service, key, asked);
        return one.status === 409 ? undefined : one;
      });
      return { key, status: answer.status, text: JSON.stringify(answer.json) };
    }),
  );
  for (const { status } of answers) expect(status).toBe(202);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(keys.length);
  expect(await zones()).toHaveLength(keys.length);
});

it('however many keys come to both, a project has as many answers as the limit says', async () => {
  const answers = await Promise.all(
    Array.from({ length: 2 * MAX_ANSWERS }, (_, number) =>
      create(services[number % 2]!, `key-${number}`, { ...body, name: `name-${number}.example.org.` }),
    ),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(MAX_ANSWERS).fill(202), ...Array(MAX_ANSWERS).fill(413)]);
  expect(await zones()).toHaveLength(MAX_ANSWERS);
});
