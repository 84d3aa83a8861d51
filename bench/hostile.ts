/**
 * What one tenant suffers when another creates names against patterns that are made to be slow: two services, one
 * with the hostile patterns and one with as many harmless ones, get the same requests of both tenants at the same
 * steady rates, in turns.
 *
 *     npm run bench -- hostile [--rate 25] [--rounds 8] [--seconds 5]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import { quantile, table } from '../test/support/figures.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { CATASTROPHIC, KINDS, type Make } from './matcher/hostile.ts';
import { randomNumbers } from './matcher/random.ts';

/** Requests a second of the tenant that is measured. */
const OTHER_RATE = 50;
const LENGTHS = [60, 250];

const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '25' },
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
  },
});
const rate = Number(options.rate);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);

interface Part {
  readonly title: string;
  readonly patterns: readonly string[];
  /** How names are made that keep the patterns busy. */
  readonly names: readonly Make[];
}

const [, backReference, backReferenceNames] = KINDS.find(([title]) => title === 'back-reference')!;

const PARTS: readonly Part[] = [
  {
    title: 'catastrophic',
    patterns: CATASTROPHIC.map(([source]) => source),
    names: CATASTROPHIC.map(([, , nearMiss]) => nearMiss),
  },
  {
    title: '1,000 with back-references',
    patterns: Array.from({ length: 1000 }, (_, i) => backReference(i)),
    names: [backReferenceNames],
  },
];

const harmless = (i: number): string => `harmless-${i}-[a-z0-9]+\\.`;

/** A name that keeps one of the patterns busy, and that nobody has asked for. */
function hostileName(part: Part, number: number): string {
  const make = part.names[number % part.names.length]!;
  const length = LENGTHS[Math.floor(number / part.names.length) % LENGTHS.length]!;
  const own = `n${number}.`;
  // A name holds no "=".
  return own + make(randomNumbers(number), length - own.length).replace('=', 'x');
}

/** Latencies in milliseconds, and how often each answer came. */
interface Tally {
  readonly latencies: number[];
  readonly answers: Map<string, number>;
}

interface Seen {
  readonly hostile: Tally;
  readonly other: Tally;
}

const emptyTally = (): Tally => ({ latencies: [], answers: new Map() });
const emptySeen = (): Seen => ({ hostile: emptyTally(), other: emptyTally() });

async function create(client: Client, name: string, tally: Tally): Promise<void> {
  const sent = performance.now();
  const { status, text } = await client.send('POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
  tally.latencies.push(performance.now() - sent);
  const answer = status === 202 ? 'created' : `${status} ${JSON.parse(text).message}`.slice(0, 40);
  tally.answers.set(answer, (tally.answers.get(answer) ?? 0) + 1);
}

/** Sends at a steady rate, whatever the answers take. */
function steadily(perSecond: number, send: (number: number) => Promise<void>): Promise<void> {
  const total = perSecond * seconds;
  const start = performance.now();
  const sent: Promise<void>[] = [];
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
      while (sent.length < due) sent.push(send(sent.length));
      if (sent.length < total) return;
      clearInterval(timer);
      Promise.all(sent).then(() => resolve(), reject);
    }, 1);
  });
}

/** A service with patterns of one kind, and what its two tenants saw. */
interface Side {
  readonly service: ServiceProcess;
  readonly clients: { readonly hostile: Client; readonly other: Client };
  readonly seen: Seen;
}

async function sideOf(patterns: readonly string[]): Promise<Side> {
  const service = await startServiceProcess();
  const file = join(service.dataDir, 'patterns.txt');
  writeFileSync(file, patterns.join('\n'));
  service.command('blacklist', 'import', file);
  const admin = connect(service.url, service.admin, 1);
  const clientOf = async (project: string) => {
    await expectSuccess(admin, 'PATCH', `/v2/quotas/${project}`, { zones: -1 });
    return connect(service.url, service.token(project, 'member'), 256);
  };
  const clients = { hostile: await clientOf('hostile'), other: await clientOf('other') };
  admin.close();
  return { service, clients, seen: emptySeen() };
}

async function runRound(part: Part, { clients }: Side, seen: Seen, round: number): Promise<void> {
  const first = round * rate * seconds;
  await Promise.all([
    steadily(rate, (i) => create(clients.hostile, hostileName(part, first + i), seen.hostile)),
    steadily(OTHER_RATE, (i) => create(clients.other, `zone-${round}-${i}.innocent.org.`, seen.other)),
  ]);
}

async function takeTurns(part: Part, sides: readonly Side[]): Promise<void> {
  for (const side of sides) await runRound(part, side, emptySeen(), 0);
  for (let round = 1; round <= rounds; round++) {
    // Who goes first changes, too.
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) await runRound(part, side, side.seen, round);
  }
}

async function measure(part: Part): Promise<{ rows: string[][]; ratios: string }> {
  const sides = [await sideOf(part.patterns.map((_, i) => harmless(i))), await sideOf(part.patterns)];
  try {
    await takeTurns(part, sides);
  } finally {
    for (const side of sides) await remove(side);
  }
  const titles = [`as many harmless ones`, part.title];
  const rows = sides.map(({ seen }, at) => [
    titles[at]!,
    ...cells(seen.other),
    ...cells(seen.hostile),
    answersOf(seen.hostile),
  ]);
  const ratioOf = (share: number): string => {
    const [without, having] = sides.map(({ seen }) => quantile(seen.other.latencies, share));
    return (having! / without!).toFixed(2);
  };
  return {
    rows,
    ratios: `${part.title}: p50 ${ratioOf(0.5)}, p99 ${ratioOf(0.99)} times that with harmless patterns`,
  };
}

async function remove({ service, clients }: Side): Promise<void> {
  clients.hostile.close();
  clients.other.close();
  await service.remove();
}

function cells({ latencies }: Tally): string[] {
  return [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(1));
}

function answersOf({ answers }: Tally): string {
  return [...answers].map(([answer, count]) => `${count} ${answer}`).join('; ');
}

console.log(`${rate} creates a second of one tenant, ${OTHER_RATE} of another, in ms\n`);
const measured = [];
for (const part of PARTS) measured.push(await measure(part));
table(
  ['patterns', 'other tenant, p50', 'p99', 'hostile tenant, p50', 'p99', 'answers to it'],
  measured.flatMap(({ rows }) => rows),
);
for (const { ratios } of measured) console.log(ratios);
