/**
 * What 10,000 stored TLDs cost a create: two services, one with TLDs and one without, in turns. Prints for each the creates
 * a second, their latency, and the processor time of the service for each, and how much more the TLDs take.
 *
 *     npm run bench -- tlds [--tlds 10000] [--rounds 20] [--creates 300] [--connections 4]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';
import { medianOf } from './support/median.ts';

const { values: options } = parseArgs({
  options: {
    tlds: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '20' },
    creates: { type: 'string', default: '300' },
    connections: { type: 'string', default: '4' },
  },
});
const CREATES = Number(options.creates);
const UNLIMITED = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1', ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn' };
/** What Linux counts processor time in. */
const TICKS_A_SECOND = 100;

/** One of the two services, and what each round of it took. */
interface Side {
  readonly what: string;
  readonly service: ServiceProcess;
  readonly client: Client;
  readonly elapsed: number[];
  readonly processor: number[];
}

async function startSide(tlds: number): Promise<Side> {
  const service = await startServiceProcess(UNLIMITED);
  const names = Array.from({ length: Math.max(0, tlds - 1) }, (_, number) => `tld${number}`);
  if (tlds > 0) {
    const file = join(service.dataDir, 'tlds.txt');
    writeFileSync(file, ['example', ...names].join('\n'));
    service.command('tld', 'import', file);
  }
  const client = connect(service.url, service.admin, Number(options.connections));
  return { what: `${tlds.toLocaleString('en')} TLDs`, service, client, elapsed: [], processor: [] };
}

/** Of the service so far, in milliseconds. */
function processorMs({ service }: Side): number {
  const stat = readFileSync(`/proc/${service.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_A_SECOND;
}

async function runRound(side: Side, prefix: string): Promise<void> {
  const names = Array.from({ length: CREATES }, (_, number) => `${prefix}-${number}.example.`);
  const start = performance.now();
  const before = processorMs(side);
  await forEachInParallel(names, Number(options.connections), (name) =>
    expectSuccess(side.client, 'POST', '/v2/zones', { name, email: 'hostmaster@example.org' }),
  );
  side.processor.push((processorMs(side) - before) / CREATES);
  side.elapsed.push((performance.now() - start) / CREATES);
}

const more = (one: number, other: number): string => `${((other / one - 1) * 100).toFixed(1)} %`;

const sides = [await startSide(0), await startSide(Number(options.tlds))] as const;
try {
  for (const side of sides) await runRound(side, 'warm-up');
  for (const side of sides) {
    side.elapsed.length = 0;
    side.processor.length = 0;
  }
  for (let round = 0; round < Number(options.rounds); round++) {
    // Each begins as often as the other.
    const order = round % 2 === 0 ? sides : [...sides].reverse();
    for (const side of order) await runRound(side, `round-${round}`);
  }
  console.log('| what | ms a create, median | processor ms a create, median |');
  console.log('|---|---|---|');
  for (const { what, elapsed, processor } of sides) {
    console.log(`| ${what} | ${medianOf(elapsed).toFixed(3)} | ${medianOf(processor).toFixed(3)} |`);
  }
  const [without, with_] = sides;
  console.log(
    `| more | ${more(medianOf(without.elapsed), medianOf(with_.elapsed))} | ${more(medianOf(without.processor), medianOf(with_.processor))} |`,
  );
} finally {
  for (const { client, service } of sides) {
    client.close();
    await service.remove();
  }
}
