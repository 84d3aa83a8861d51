/**
 * Zone creates a second through the whole service: without patterns, with a million of the mixed corpus that all refuse,
 * and with the same million of which half are only noted and a tenth has exceptions. The services take turns in short
 * rounds, so that whatever else the machine does meets all of them; on a busy machine their processor time says most. The names match nothing, but for one row of names each
 * of which an entry notes. Beside it: how long the patterns take from their file into the store, the service to its first
 * answer, and the memory.
 *
 *     npm run bench -- patterns [--patterns 1000000] [--rounds 9] [--seconds 2]
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { quantile, table } from '../test/support/figures.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { entryAt, flat, missingNames, traitsAt } from './matcher/corpus.ts';
import { randomNumbers } from './matcher/random.ts';
import { processorSeconds } from './publication/processes.ts';
import { writeLines } from './support/patterns.ts';

const CONNECTIONS = [1, 16];
const PROJECT = 'tenant';
/** More names than a round can ask for. */
const NAMES_A_SECOND = 10_000;

const { values: options } = parseArgs({
  options: {
    patterns: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '2' },
  },
});
const patterns = Number(options.patterns);
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);

const median = (values: readonly number[]): number => quantile([...values], 0.5);
const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** A line for each pattern, with how it takes part in the mix. */
function mixedLine(i: number): string {
  const { enforced, conditional } = traitsAt(i);
  return JSON.stringify({
    pattern: entryAt('mixed', i).source,
    mode: enforced ? 'enforce' : ['audit', 'warn'][i % 2],
    exceptions: conditional ? [{ project_id: 'another' }] : [],
  });
}

/** Names that an entry of the mix notes, and that none refuses. */
function notedNames(count: number, seed: number, prefix: string): string[] {
  const random = randomNumbers(seed);
  const names: string[] = [];
  while (names.length < count) {
    const i = 1 + random(patterns);
    const { name, subtree } = entryAt('mixed', i);
    if (name !== undefined && subtree && !traitsAt(i).enforced)
      names.push(flat(`${prefix}${names.length}.${name}`));
  }
  return names;
}

/** Megabytes that the process holds. */
function residentMemory({ pid }: ServiceProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / 1024);
}

/** Latencies of creates, and how many there were a second, and a second of the service's processor time. */
interface Round {
  readonly rate: number;
  readonly processorRate: number;
  readonly latencies: readonly number[];
}

async function createFor(
  client: Client,
  { service }: Side,
  connections: number,
  names: Iterable<string>,
): Promise<Round> {
  const latencies: number[] = [];
  const refused: string[] = [];
  const processor = processorSeconds(service.pid);
  const start = performance.now();
  function* inTime() {
    for (const name of names) {
      if (performance.now() - start > seconds * 1000) return;
      yield name;
    }
  }
  await forEachInParallel(inTime(), connections, async (name) => {
    const sent = performance.now();
    const { status } = await client.send('POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
    if (status === 202) latencies.push(performance.now() - sent);
    else refused.push(`${status} ${name}`);
  });
  if (refused.length > latencies.length / 100) throw new Error(`Refused: ${refused.slice(0, 5).join(', ')}.`);
  const rate = (latencies.length / (performance.now() - start)) * 1000;
  return { rate, processorRate: latencies.length / (processorSeconds(service.pid) - processor), latencies };
}

/** One of the services, or of its rows, and what came of its rounds. */
interface Side {
  readonly title: string;
  readonly service: ServiceProcess;
  readonly token: string;
  readonly namesOf: (count: number, seed: number, prefix: string) => readonly string[];
  readonly rounds: Round[];
}

function freeNames(count: number, seed: number, prefix: string): string[] {
  return missingNames(count, seed).map((name) => `${prefix}-${name}`);
}

async function sideOf(title: string, service: ServiceProcess, namesOf = freeNames): Promise<Side> {
  const admin = connect(service.url, service.admin, 1);
  await expectSuccess(admin, 'PATCH', `/v2/quotas/${PROJECT}`, { zones: -1 });
  admin.close();
  return { title, service, token: service.token(PROJECT, 'member'), namesOf, rounds: [] };
}

async function runRounds(sides: readonly Side[], connections: number): Promise<void> {
  const clients = sides.map(({ service, token }) => connect(service.url, token, connections));
  for (const side of sides) side.rounds.length = 0;
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const at of orderOf(round, sides.length)) {
      const side = sides[at]!;
      const names = side.namesOf(NAMES_A_SECOND * seconds, round, `c${connections}r${round}`);
      const result = await createFor(clients[at]!, side, connections, names);
      if (round > 0) side.rounds.push(result);
    }
  }
  for (const client of clients) client.close();
}

/** Who goes first changes, too, and who goes before whom. */
function orderOf(round: number, count: number): number[] {
  const order = Array.from({ length: count }, (_, at) => (at + round) % count);
  return round % 2 === 0 ? order : order.reverse();
}

/** The median of a figure, and that of its ratios round by round, with the half of them in the middle. */
function cells(side: Side, floor: Side, figure: (round: Round) => number): string[] {
  const ratios = side.rounds.map((round, i) => figure(round) / figure(floor.rounds[i]!));
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile([...ratios], share).toFixed(2));
  return [median(side.rounds.map(figure)).toFixed(0), `${middle} (${low} to ${high})`];
}

function rowsOf(sides: readonly Side[], connections: number): string[][] {
  return sides.map((side) => {
    const latencies = side.rounds.flatMap((round) => round.latencies);
    const times = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(2));
    const rates = cells(side, sides[0]!, ({ rate }) => rate);
    const processor = cells(side, sides[0]!, ({ processorRate }) => processorRate);
    const toRefusing = cells(side, sides[1]!, ({ processorRate }) => processorRate)[1]!;
    return [side.title, String(connections), ...times, ...rates, ...processor, toRefusing];
  });
}

function fill(title: string, service: ServiceProcess, lineAt: (i: number) => string): void {
  const file = join(service.dataDir, 'patterns.txt');
  writeLines(file, patterns, (number) => lineAt(1 + number));
  const start = performance.now();
  service.command('blacklist', 'import', ...(lineAt === mixedLine ? ['--jsonl'] : []), file);
  console.log(`${title}: blacklist import of ${patterns.toLocaleString('en')} patterns: ${since(start)}`);
}

async function restarted(title: string, service: ServiceProcess): Promise<void> {
  const start = performance.now();
  await service.restart();
  const listening = since(start);
  const client = connect(service.url, service.admin, 1);
  const [name] = missingNames(1, 77);
  await expectSuccess(client, 'POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
  client.close();
  const memory = `${residentMemory(service)} MB`;
  console.log(
    `${title}: from start to listening: ${listening}, to the first zone: ${since(start)}, ${memory}`,
  );
}

async function measure(services: readonly ServiceProcess[]): Promise<void> {
  const [empty, refusing, mixed] = services as [ServiceProcess, ServiceProcess, ServiceProcess];
  fill('all refuse', refusing, (i) => entryAt('mixed', i).source);
  fill('mix', mixed, mixedLine);
  await restarted('no patterns', empty);
  await restarted('all refuse', refusing);
  await restarted('mix', mixed);
  const sides = [
    await sideOf('none', empty),
    await sideOf('all refuse', refusing),
    await sideOf('half noted, a tenth conditional', mixed),
    await sideOf('the same, names that are noted', mixed, notedNames),
  ];
  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    await runRounds(sides, connections);
    rows.push(...rowsOf(sides, connections));
  }
  console.log(
    `\nLoad of the machine: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}.\n`,
  );
  const figures = [
    'p50, ms',
    'p99, ms',
    'a second',
    'to none',
    'a processor second',
    'to none',
    'to all refuse',
  ];
  table(['patterns', 'connections', ...figures], rows);
  for (const { title, service } of sides)
    console.log(`memory at the end: ${residentMemory(service)} MB, ${title}`);
}

async function main(): Promise<void> {
  const services: ServiceProcess[] = [];
  try {
    for (let i = 0; i < 3; i++) services.push(await startServiceProcess());
    await measure(services);
  } finally {
    for (const service of services) await service.remove();
  }
}

await main();
