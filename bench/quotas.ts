/**
 * What a create costs as a project and a zone fill up: a zone in a project of 10, 10,000 and 1,000,000 zones, and a
 * recordset in a zone of 10 and of 100,000. All in one process and one database, interleaved, as medians and ratios.
 *
 *     npm run bench -- quotas [--zones 10,10000,1000000] [--recordsets 10,100000] [--rounds 400]
 *
 * The store is filled through the storage layer, the creates that are measured go over HTTP.
 */
import { parseArgs } from 'node:util';
import type { Store } from '../src/model/store.ts';
import { openStore } from '../src/storage/open.ts';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { filledZone, fillZone, inBatches } from './support/filled.ts';

const { values: options } = parseArgs({
  options: {
    zones: { type: 'string', default: '10,10000,1000000' },
    recordsets: { type: 'string', default: '10,100000' },
    rounds: { type: 'string', default: '400' },
  },
});
const zoneCounts = options.zones.split(',').map(Number);
const recordsetCounts = options.recordsets.split(',').map(Number);
const rounds = Number(options.rounds);

async function onStore(dataDir: string, fill: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore({ dataDir, busyTimeoutMs: 60_000, readTimeoutMs: 5000 });
  await fill(store);
  await store.close();
}

function fillProject(store: Store, projectId: string, count: number): Promise<void> {
  return inBatches(store, count, async (tx, from, to) => {
    for (let number = from; number < to; number++) {
      tx.zones.insert(filledZone(`filled-${number}.${projectId}.example.`, projectId));
    }
    tx.projects.grow(projectId, { zones: to - from });
  });
}

interface Case {
  readonly label: string;
  readonly create: (round: number) => Promise<void>;
  readonly times: number[];
}

async function timed(one: Case, round: number): Promise<void> {
  const start = performance.now();
  await one.create(round);
  one.times.push(performance.now() - start);
}

const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1]!;

function print(title: string, cases: readonly Case[]): void {
  const floor = median(cases[0]!.times);
  process.stdout.write(`\n| ${title} | p50 ms | ratio to the smallest |\n|---|---|---|\n`);
  for (const { label, times } of cases) {
    const p50 = median(times);
    process.stdout.write(`| ${label} | ${p50.toFixed(3)} | ${(p50 / floor).toFixed(2)} |\n`);
  }
}

const UNLIMITED = { zones: -1, zone_recordsets: -1, zone_records: -1, recordset_records: -1 };
const zoneBody = (name: string) => ({ name, email: 'hostmaster@example.org' });

async function zoneCase(service: Service, count: number): Promise<Case> {
  const projectId = `zones-${count}`;
  await expectSuccess(service.admin, 'PATCH', `/v2/quotas/${projectId}`, UNLIMITED);
  await onStore(service.dataDir, (store) => fillProject(store, projectId, count));
  const client = connect(service.url, service.token(projectId), 1);
  const create = async (round: number) => {
    await expectSuccess(client, 'POST', '/v2/zones', zoneBody(`round-${round}.${projectId}.example.`));
  };
  return { label: count.toLocaleString('en'), create, times: [] };
}

async function recordsetCase(service: Service, count: number): Promise<Case> {
  const projectId = `recordsets-${count}`;
  await expectSuccess(service.admin, 'PATCH', `/v2/quotas/${projectId}`, UNLIMITED);
  const client = connect(service.url, service.token(projectId), 1);
  const name = `${projectId}.example.`;
  const zone = await expectSuccess(client, 'POST', '/v2/zones', zoneBody(name));
  await onStore(service.dataDir, (store) => fillZone(store, projectId, zone.id, count));
  const create = async (round: number) => {
    const body = { name: `round-${round}.${name}`, type: 'A', records: ['192.0.2.1'] };
    await expectSuccess(client, 'POST', `/v2/zones/${zone.id}/recordsets`, body);
  };
  return { label: count.toLocaleString('en'), create, times: [] };
}

interface Service {
  readonly url: string;
  readonly dataDir: string;
  readonly admin: Client;
  token(projectId: string): string;
}

const service = await startServiceProcess();
const access: Service = {
  url: service.url,
  dataDir: service.dataDir,
  admin: connect(service.url, service.admin, 1),
  token: (projectId) => service.token(projectId, 'member'),
};
const zones: Case[] = [];
for (const count of zoneCounts) zones.push(await zoneCase(access, count));
const recordsets: Case[] = [];
for (const count of recordsetCounts) recordsets.push(await recordsetCase(access, count));
for (let round = -50; round < rounds; round++) {
  for (const one of [...zones, ...recordsets]) {
    await timed(one, round);
    // The first rounds warm up.
    if (round < 0) one.times.length = 0;
  }
}
print('zones in the project', zones);
print('recordsets in the zone', recordsets);
await service.remove();
process.exit(0);
