/**
 * How long a page of events takes by each filter among many: for each, the 50th and 99th percentile and the greatest of so many requests, of
 * administrators and of a project, in milliseconds. Filters with `*` that hardly anything matches look at events one by one.
 *
 *     npm run bench -- event-filters [--events 1000000] [--requests 200]
 *
 * With TEST_POSTGRES=postgres://… on a database of its own of that server.
 */
import { parseArgs } from 'node:util';
import { startServiceProcess } from '../test/support/service-process.ts';
import { dropDatabases, inStoreOf, isOnPostgres } from '../test/support/store.ts';

const { values: options } = parseArgs({
  options: { events: { type: 'string', default: '1000000' }, requests: { type: 'string', default: '200' } },
});
const EVENTS = Number(options.events);
const REQUESTS = Number(options.requests);
const ROWS = 2000;
const PROJECTS = 1000;
const BEGIN = Date.UTC(2026, 0, 1);
const DATA = JSON.stringify({ after: { name: 'x'.repeat(40), ttl: 3600, email: 'hostmaster@example.org' } });
const TYPES = ['zone.created', 'recordset.created', 'recordset.changed', 'refused.quota'];

function quoted(values: readonly (string | number)[]): string {
  return `(${values.map((value) => (typeof value === 'number' ? value : `'${value}'`)).join(',')})`;
}

const idOf = (number: number, kind: string): string =>
  `${kind}-4000-8000-${String(number).padStart(12, '0')}`;

/** One event a second. */
function rowOf(position: number): string {
  const at = BEGIN + position * 1000;
  const digits = at.toString(16).padStart(12, '0');
  const id = `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-${String(position).padStart(12, '0')}`;
  const project = `project-${position % PROJECTS}`;
  const type = position % 10_000 === 0 ? 'pool.changed' : TYPES[position % TYPES.length]!;
  return quoted([
    ...[position, id, `${new Date(at).toISOString().slice(0, 23)}000`, type, '', project, project, project],
    ...[`user-${position % 5000}`, 'request', `req-${idOf(position, '00000000-0000')}`, '192.0.2.1', 'zone'],
    ...[
      idOf(position % 100_000, '11111111-0000'),
      `zone-${position % 100_000}.example.`,
      DATA,
      'key',
      'mac',
      1,
      'hash',
    ],
  ]);
}

async function fill(dataDir: string): Promise<void> {
  const columns = `position, id, time, type, error, project_id, actor_project_id, caller_project_id, user_id, origin, request_id,
    address, target_kind, target_id, target_name, data, key_id, mac, shown, hash`;
  // The service writes now and then, too.
  const patience = isOnPostgres() ? [] : ['pragma busy_timeout = 60000'];
  for (let from = 1; from <= EVENTS; from += ROWS) {
    const count = Math.min(ROWS, EVENTS - from + 1);
    const rows = Array.from({ length: count }, (_, place) => rowOf(from + place));
    await inStoreOf(dataDir, ...patience, `insert into events (${columns}) values ${rows.join(',')}`);
  }
  await inStoreOf(
    dataDir,
    ...patience,
    `update event_head set position = ${EVENTS}, hash = 'hash'`,
    // Which a server does by itself, and the embedded database never.
    ...(isOnPostgres() ? ['analyze events'] : []),
  );
}

const one = (): number => 1 + Math.floor(Math.random() * EVENTS);
const timeAt = (position: number): string => new Date(BEGIN + position * 1000).toISOString();

/** Each with what it asks for. */
const QUERIES: readonly (readonly [string, () => string])[] = [
  ['nothing', () => ''],
  ['`type`', () => 'type=pool.changed'],
  ['`type=zone.*`', () => 'type=zone.*'],
  ['`type=pool.*`, one of 10,000', () => 'type=pool.*'],
  ['`type=webhook.*`, none', () => 'type=webhook.*'],
  ['`target_id`', () => `target_id=${idOf(one() % 100_000, '11111111-0000')}`],
  ['`target_name`', () => `target_name=zone-${one() % 100_000}.example.`],
  ['`target_name`, none', () => `target_name=none-${one()}.example.`],
  ['`target_name=zone-1*`', () => 'target_name=zone-1*'],
  ['`target_name=*.none.`, none', () => `target_name=*-${one()}.none.`],
  ['`request_id`', () => `request_id=req-${idOf(one(), '00000000-0000')}`],
  ['`user_id`', () => `user_id=user-${one() % 5000}`],
  ['`target`, none', () => 'target=pool'],
  [
    '`since`, `until`: an hour',
    () => {
      const from = one();
      return `since=${timeAt(from)}&until=${timeAt(from + 3600)}`;
    },
  ],
  [
    '`since`: a day, `target_name=*.none.`, none',
    () => `since=${timeAt(EVENTS - 86_400)}&target_name=*.none.`,
  ],
];

function figuresOf(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1);
  return `${at(0.5)} | ${at(0.99)} | ${at(1)}`;
}

/** What is slow is asked for less often. */
async function measure(ask: () => Promise<number>): Promise<string> {
  const times: number[] = [];
  const statuses = new Set<number>();
  const end = performance.now() + 20_000;
  while (times.length < REQUESTS && (times.length < 5 || performance.now() < end)) {
    const begun = performance.now();
    statuses.add(await ask());
    times.push(performance.now() - begun);
  }
  return `${figuresOf(times)} | ${times.length} × ${[...statuses].join(', ')}`;
}

const service = await startServiceProcess();
try {
  const begun = performance.now();
  await fill(service.dataDir);
  console.log(`${EVENTS} events in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  const callers = [
    ['administrator', service.admin],
    ['project', service.token('project-7', 'member')],
  ] as const;
  console.log('| filter | caller | p50 | p99 | greatest | answers |\n|---|---|---|---|---|---|');
  for (const [what, query] of QUERIES)
    for (const [caller, token] of callers) {
      const ask = async () => {
        const answer = await fetch(`${service.url}/v2/events?limit=20&${query()}`, {
          headers: { 'x-auth-token': token },
        });
        await answer.arrayBuffer();
        return answer.status;
      };
      console.log(`| ${what} | ${caller} | ${await measure(ask)} |`);
    }
} finally {
  await service.remove();
  dropDatabases();
}
