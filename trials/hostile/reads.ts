/**
 * What others notice while one tenant, within its default quotas, asks for lists whose filter is as expensive as a filter can
 * be, over as many records as it may have, with many requests at once. Ends with 1 when a request of the others fails.
 *
 *     npm run trial:hostile-reads [-- --stores sqlite,postgresql] [--zones 10] [--parallel 20] [--rounds 3] [--seconds 10]
 *
 * The service has a heap of 512 MB. On PostgreSQL it starts a server of its own.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { quantile, table } from '../../test/support/figures.ts';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';

const { values: options } = parseArgs({
  options: {
    stores: { type: 'string', default: 'sqlite,postgresql' },
    zones: { type: 'string', default: '10' },
    parallel: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
});
const [zones, parallel, rounds, seconds] = (['zones', 'parallel', 'rounds', 'seconds'] as const).map((name) =>
  Number(options[name]),
) as [number, number, number, number];

const HEAP = '--max-old-space-size=512';
/** A zone has at most 8 MiB by default: so many recordsets of 64,000 bytes each, the most that one may have. */
const RECORDSETS_OF_A_ZONE = 128;
const TEXT = Array(253)
  .fill(`"${'a'.repeat(250)}"`)
  .join(' ');
/** The longest filter with wildcards: it fails only after its last character has been compared at every place. */
const ATTACK = `/v2/recordsets?limit=1&data=*${'a'.repeat(252)}b*`;
const ZONE = { email: 'hostmaster@example.org' };
const RATE = 20;

type Kind = 'create a zone' | 'read a zone' | 'list' | 'list by filter' | 'healthcheck';
type Latencies = Record<Kind, number[]>;

const noLatencies = (): Latencies => ({
  'create a zone': [],
  'read a zone': [],
  list: [],
  'list by filter': [],
  healthcheck: [],
});

let names = 0;
const failures = new Map<string, number>();

/** Sends one request of each kind, and notes how long each takes. */
async function askAsOther(other: Client, id: string, seen: Latencies): Promise<void> {
  const timed = async (kind: Kind, method: string, path: string, body?: object): Promise<void> => {
    const sent = performance.now();
    const { status, text } = await other.send(method, path, body);
    seen[kind].push(performance.now() - sent);
    if (status < 300) return;
    const answer = `${kind}: ${status} ${JSON.parse(text).message}`;
    failures.set(answer, (failures.get(answer) ?? 0) + 1);
  };
  const name = `other-${names++}.example.`;
  await Promise.all([
    timed('create a zone', 'POST', '/v2/zones', { name, ...ZONE }),
    timed('read a zone', 'GET', `/v2/zones/${id}`),
    timed('list', 'GET', '/v2/zones'),
    timed('list by filter', 'GET', '/v2/recordsets?name=*.other-0.example.'),
    timed('healthcheck', 'GET', '/healthcheck'),
  ]);
}

/** At a steady rate, whatever the answers take. */
function otherFor(other: Client, id: string, seen: Latencies): Promise<void> {
  const total = RATE * seconds;
  const sent: Promise<void>[] = [];
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * RATE) + 1);
      while (sent.length < due) sent.push(askAsOther(other, id, seen));
      if (sent.length < total) return;
      clearInterval(timer);
      Promise.all(sent).then(() => resolve(), reject);
    }, 5);
  });
}

async function fill(hostile: Client): Promise<void> {
  for (let zone = 0; zone < zones; zone++) {
    const name = `hostile-${zone}.example.`;
    const { id } = await expectSuccess(hostile, 'POST', '/v2/zones', { name, ...ZONE });
    for (let number = 0; number < RECORDSETS_OF_A_ZONE; number++) {
      const recordset = { name: `n${number}.${name}`, type: 'TXT', records: [TEXT] };
      await expectSuccess(hostile, 'POST', `/v2/zones/${id}/recordsets`, recordset);
    }
  }
}

/** Attacks until told to stop; returns how often each answer came, and the longest wait for one. */
function attack(hostile: Client) {
  const answers = new Map<string, number>();
  let longest = 0;
  let stops = false;
  const one = async (): Promise<void> => {
    while (!stops) {
      const sent = performance.now();
      const { status, text } = await hostile.send('GET', ATTACK);
      longest = Math.max(longest, performance.now() - sent);
      const answer = status === 200 ? '200' : `${status} ${JSON.parse(text).message}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
  };
  const ended = Promise.all(Array.from({ length: parallel }, one));
  return async () => {
    stops = true;
    await ended;
    return { answers, longest };
  };
}

function peakMemory({ pid }: ServiceProcess): string {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return `${Math.round(Number(kilobytes) / 1024)} MB`;
}

async function tryOn(store: string, service: ServiceProcess): Promise<void> {
  const admin = connect(service.url, service.admin, 1);
  await expectSuccess(admin, 'PATCH', '/v2/quotas/other', { zones: -1 });
  const hostile = connect(service.url, service.token('hostile', 'member'), parallel);
  const other = connect(service.url, service.token('other', 'member'), 256);
  await fill(hostile);
  const { id } = await expectSuccess(other, 'POST', '/v2/zones', { name: `read.${store}.example.`, ...ZONE });
  await otherFor(other, id, noLatencies());
  const idle = noLatencies();
  const attacked = noLatencies();
  for (let round = 0; round < rounds; round++) {
    await otherFor(other, id, idle);
    const stop = attack(hostile);
    await otherFor(other, id, attacked);
    const { answers, longest } = await stop();
    console.log(`${store}: the attack was answered, within ${longest.toFixed(0)} ms:`);
    for (const [answer, count] of answers) console.log(`  ${count} × ${answer}`);
  }
  console.log(`\n${store}: others, ${RATE} of each a second; most memory ${peakMemory(service)}\n`);
  const figures = (samples: readonly number[]) => [0.5, 0.99].map((share) => quantile(samples, share));
  table(
    ['', 'p50 idle, ms', 'p99 idle, ms', 'p50 attacked, ms', 'p99 attacked, ms', 'p99 ratio'],
    (Object.keys(idle) as Kind[]).map((kind) => {
      const all = [...figures(idle[kind]), ...figures(attacked[kind])];
      return [kind, ...all.map((one) => one.toFixed(1)), (all[3]! / all[1]!).toFixed(2)];
    }),
  );
  for (const client of [admin, hostile, other]) client.close();
}

for (const store of options.stores.split(',')) {
  const server = store === 'postgresql' ? await startPostgres() : undefined;
  const connection: Record<string, string> =
    server === undefined ? {} : { ZONEWARDEN_STORAGE__CONNECTION: await server.createDatabase() };
  const service = await startServiceProcess(connection, [HEAP]);
  try {
    await tryOn(store, service);
  } finally {
    await service.remove();
    await server?.remove();
  }
}
for (const [answer, count] of failures) console.log(`others: ${count} × ${answer}`);
process.exitCode = failures.size > 0 ? 1 : 0;
