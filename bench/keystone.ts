/**
 * Reads a second with tokens of Keystone whose answers are kept, over those with the service's own tokens: the same reads by
 * the same projects, in turns, pair by pair. Then what a caller gets, and when, while Keystone fails in some way.
 *
 *     npm run bench -- keystone [--pairs 11] [--seconds 2] [--connections 1,16]
 */
import { parseArgs } from 'node:util';
import { quantile, table } from '../test/support/figures.ts';
import {
  FAULTS,
  FakeKeystone,
  type Fault,
  keystoneOptions,
  projectToken,
} from '../test/support/keystone/fake.ts';
import { ask } from '../test/support/process.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { processorSeconds } from './publication/processes.ts';
import { LeanClient } from './service/lean-client.ts';

const { values: options } = parseArgs({
  options: {
    pairs: { type: 'string', default: '11' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,16' },
  },
});
const PAIRS = Number(options.pairs);
const SECONDS = Number(options.seconds);
const WARM_UP_SECONDS = 1;
/** As many failures as it takes until Keystone is asked now and then only. */
const FAILURES = 5;
const SLOW_MS = 1000;

/** Who reads a zone of its project again and again. */
interface Reader {
  readonly token: string;
  readonly path: string;
}

const projectOf = (number: number): string => `tenant-${number}`;

/** Connections of their own, since the service ends those that wait for their turn; the first request lets Keystone be asked. */
function opened(
  service: ServiceProcess,
  readers: readonly Reader[],
): Promise<(Reader & { client: LeanClient })[]> {
  return Promise.all(
    readers.map(async (reader) => {
      const client = new LeanClient(service.url, reader.token);
      await client.send('GET', reader.path);
      return { ...reader, client };
    }),
  );
}

/** What all of them reach together. */
interface Reads {
  readonly aSecond: number;
  /** For each second of processor time of the service: other load of the machine changes it little. */
  readonly aProcessorSecond: number;
}

async function reads(service: ServiceProcess, readers: readonly Reader[], seconds: number): Promise<Reads> {
  const open = await opened(service, readers);
  const start = performance.now();
  const processor = processorSeconds(service.pid);
  const end = start + seconds * 1000;
  const counts = await Promise.all(
    open.map(async ({ client, path }) => {
      let count = 0;
      for (; performance.now() < end; count++) await client.send('GET', path);
      return count;
    }),
  );
  const count = counts.reduce((sum, one) => sum + one, 0);
  const taken = {
    aSecond: (count * 1000) / (performance.now() - start),
    aProcessorSecond: count / (processorSeconds(service.pid) - processor),
  };
  for (const { client } of open) client.close();
  return taken;
}

interface Sides {
  readonly own: Reader[];
  readonly keystone: Reader[];
}

async function sidesOf(service: ServiceProcess, fake: FakeKeystone, connections: number): Promise<Sides> {
  const sides: Sides = { own: [], keystone: [] };
  for (let number = 0; number < connections; number++) {
    const token = service.token(projectOf(number), 'member');
    const body = { name: `zone-${connections}-${number}.example.`, email: 'hostmaster@example.org' };
    const { json } = await ask(service.url, 'POST', '/v2/zones', { token, body });
    const path = `/v2/zones/${json.id}`;
    sides.own.push({ token, path });
    sides.keystone.push({ token: fake.issue(projectToken(projectOf(number), 'member')), path });
  }
  return sides;
}

/** One measurement of each side, shortly one after the other. */
interface Pair {
  readonly own: Reads;
  readonly keystone: Reads;
}

async function pairsOf(service: ServiceProcess, sides: Sides): Promise<Pair[]> {
  const names = ['own', 'keystone'] as const;
  for (const name of names) await reads(service, sides[name], WARM_UP_SECONDS);
  const pairs: Pair[] = [];
  for (let number = 0; number < PAIRS; number++) {
    // Each begins as often as the other.
    const order = number % 2 === 0 ? names : [...names].reverse();
    const taken = new Map<string, Reads>();
    for (const name of order) taken.set(name, await reads(service, sides[name], SECONDS));
    pairs.push({ own: taken.get('own')!, keystone: taken.get('keystone')! });
  }
  return pairs;
}

function compared(connections: number, what: string, by: keyof Reads, pairs: readonly Pair[]): string[] {
  const median = (values: readonly number[]) => quantile(values, 0.5);
  const rate = (side: keyof Pair) =>
    Math.round(median(pairs.map((pair) => pair[side][by]))).toLocaleString('en');
  const ratios = pairs.map(({ own, keystone }) => keystone[by] / own[by]);
  const middle = `${quantile(ratios, 0.25).toFixed(2)} to ${quantile(ratios, 0.75).toFixed(2)}`;
  return [
    String(connections),
    what,
    rate('own'),
    rate('keystone'),
    `${median(ratios).toFixed(2)} (${middle})`,
  ];
}

async function timed(service: ServiceProcess, token: string): Promise<string> {
  const start = performance.now();
  const { status, headers } = await ask(service.url, 'GET', '/v2/zones', { token });
  const after = headers.get('retry-after');
  const advice = after === null ? '' : `, Retry-After ${after}`;
  return `${status}${advice} after ${Math.round(performance.now() - start)} ms`;
}

/** Lets every answer wait, and then does what Keystone does. */
function makeSlow(fake: FakeKeystone): () => void {
  fake.isHolding = true;
  const timer = setInterval(() => {
    fake.release();
    fake.isHolding = true;
  }, SLOW_MS);
  return () => {
    clearInterval(timer);
    fake.release();
  };
}

type Trouble = (fake: FakeKeystone) => Promise<() => unknown>;

const withFault =
  (fault: Fault): Trouble =>
  async (fake) => {
    fake.fault = fault;
    return () => {
      fake.fault = undefined;
    };
  };

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'answers within a second': async (fake) => makeSlow(fake),
  'is silent': withFault(FAULTS.silence),
  'answers 500': withFault(FAULTS['status 500']),
  'is stopped': async (fake) => {
    await fake.away();
    return () => fake.back();
  },
};

async function during(what: string, service: ServiceProcess, fake: FakeKeystone): Promise<string[]> {
  await service.restart();
  const fresh = () => fake.issue(projectToken('shop', 'member'));
  const known = fresh();
  await timed(service, known);
  const end = await TROUBLES[what]!(fake);
  const first = await timed(service, fresh());
  await Promise.all(Array.from({ length: FAILURES }, () => timed(service, fresh())));
  const later = await timed(service, fresh());
  const kept = await timed(service, known);
  await end();
  const start = performance.now();
  const again = fresh();
  while (!(await timed(service, again)).startsWith('200')) await new Promise((go) => setTimeout(go, 50));
  return [what, first, later, kept, `${Math.round(performance.now() - start)} ms`];
}

const fake = await FakeKeystone.start();
const service = await startServiceProcess({
  ...keystoneOptions(fake.url),
  ZONEWARDEN_DEFAULT__LOG_LEVEL: 'fatal',
  ZONEWARDEN_KEYSTONE_AUTHTOKEN__TOKEN_CACHE_TIME: '3600',
});
try {
  const rows: string[][] = [];
  for (const connections of options.connections.split(',').map(Number)) {
    const sides = await sidesOf(service, fake, connections);
    const pairs = await pairsOf(service, sides);
    rows.push(compared(connections, 'a second', 'aSecond', pairs));
    rows.push(compared(connections, 'a processor second', 'aProcessorSecond', pairs));
  }
  table(
    [
      'connections',
      'reads',
      "the service's own tokens",
      "Keystone's tokens",
      'ratio, pair by pair: median (middle half)',
    ],
    rows,
  );
  const troubles: string[][] = [];
  for (const what of Object.keys(TROUBLES)) troubles.push(await during(what, service, fake));
  table(
    ['Keystone', 'a new token', 'one after five failures', 'a token that is known', 'works again after'],
    troubles,
  );
} finally {
  await service.remove();
  await fake.stop();
}
