/**
 * Zone creates a second through the whole service, without patterns and with a million of the mixed corpus: two
 * services side by side take turns in short rounds, so that whatever else the machine does meets both. Beside it: how
 * long the patterns take from their file into the store, the service to its first answer, and the memory of both.
 *
 *     npm run bench:patterns [-- --patterns 1000000] [--rounds 9] [--seconds 2]
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { quantile, table } from '../test/support/figures.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { entryAt, missingNames } from './matcher/corpus.ts';

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

function writePatterns(file: string): void {
  const descriptor = openSync(file, 'w');
  for (let from = 1; from <= patterns; from += 10_000) {
    const count = Math.min(10_000, patterns - from + 1);
    const lines = Array.from({ length: count }, (_, i) => `${entryAt('mixed', from + i).source}\n`);
    writeSync(descriptor, lines.join(''));
  }
  closeSync(descriptor);
}

/** Megabytes that the process holds. */
function residentMemory({ pid }: ServiceProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / 1024);
}

/** Latencies of creates, and how many a second there were. */
interface Round {
  readonly rate: number;
  readonly latencies: readonly number[];
}

async function createFor(client: Client, connections: number, names: Iterable<string>): Promise<Round> {
  const latencies: number[] = [];
  const refused: string[] = [];
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
  return { rate: (latencies.length / (performance.now() - start)) * 1000, latencies };
}

/** One of the two services, and what came of its rounds. */
interface Side {
  readonly service: ServiceProcess;
  readonly token: string;
  readonly rounds: Round[];
}

async function sideOf(service: ServiceProcess): Promise<Side> {
  const admin = connect(service.url, service.admin, 1);
  await expectSuccess(admin, 'PATCH', `/v2/quotas/${PROJECT}`, { zones: -1 });
  admin.close();
  return { service, token: service.token(PROJECT, 'member'), rounds: [] };
}

async function runRounds(sides: readonly Side[], connections: number): Promise<void> {
  const clients = sides.map(({ service, token }) => connect(service.url, token, connections));
  for (const side of sides) side.rounds.length = 0;
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    const names = missingNames(NAMES_A_SECOND * seconds, round).map(
      (name) => `c${connections}r${round}-${name}`,
    );
    // Who goes first changes, too.
    const order = round % 2 === 0 ? [0, 1] : [1, 0];
    for (const at of order) {
      const result = await createFor(clients[at]!, connections, names);
      if (round > 0) sides[at]!.rounds.push(result);
    }
  }
  for (const client of clients) client.close();
}

function rowOf(title: string, connections: number, side: Side): string[] {
  const latencies = side.rounds.flatMap((round) => round.latencies);
  const rate = Math.round(median(side.rounds.map((round) => round.rate)));
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(2));
  return [title, String(connections), String(rate), p50!, p99!];
}

async function main(): Promise<void> {
  const empty = await startServiceProcess();
  const full = await startServiceProcess();
  try {
    const file = join(full.dataDir, 'patterns.txt');
    writePatterns(file);
    const start = performance.now();
    full.command('blacklist', 'import', file);
    console.log(`blacklist import of ${patterns.toLocaleString('en')} patterns: ${since(start)}`);
    const restart = performance.now();
    await full.restart();
    console.log(`from start to listening: ${since(restart)}`);
    console.log(`from the beginning of the import to listening: ${since(start)}`);
    const fresh = performance.now();
    await empty.restart();
    console.log(`from start to listening without patterns: ${since(fresh)}`);
    console.log(
      `memory at start: ${residentMemory(empty)} MB without patterns, ${residentMemory(full)} MB with\n`,
    );

    const sides = [await sideOf(empty), await sideOf(full)];
    const rows: string[][] = [];
    const ratios: string[] = [];
    for (const connections of CONNECTIONS) {
      await runRounds(sides, connections);
      const [without, having] = sides as [Side, Side];
      rows.push(rowOf('0', connections, without));
      rows.push(rowOf(patterns.toLocaleString('en'), connections, having));
      const each = having.rounds
        .map((round, i) => round.rate / without.rounds[i]!.rate)
        .sort((a, b) => a - b);
      const shown = [median(each), each[0]!, each.at(-1)!].map((ratio) => ratio.toFixed(2));
      ratios.push(
        `ratio of the rates at ${connections}, round by round: median ${shown[0]} (${shown[1]} to ${shown[2]})`,
      );
    }
    table(['patterns', 'connections', 'creates a second, median', 'p50, ms', 'p99, ms'], rows);
    for (const line of ratios) console.log(line);
    console.log(
      `memory at the end: ${residentMemory(empty)} MB without patterns, ${residentMemory(full)} MB with`,
    );
  } finally {
    await full.remove();
    await empty.remove();
  }
}

await main();
