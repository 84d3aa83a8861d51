/**
 * What a create costs as a project and a zone fill up: a zone in a project of 10, 10,000 and 1,000,000 zones, and a
 * recordset in a zone of 10 and of 100,000. All in one process and one database, interleaved, as medians and ratios.
 *
 *     npm run bench:quotas [-- --zones 10,10000,1000000] [--recordsets 10,100000] [--rounds 400]
 *
 * The store is filled through the storage layer, the creates that are measured go over HTTP.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { canonicalName } from '../src/dns/names.ts';
import { systemClock } from '../src/domain/clock.ts';
import { DEFAULT_POOL_ID } from '../src/domain/pools/pool.ts';
import type { Recordset } from '../src/domain/recordsets/recordset.ts';
import type { Transaction } from '../src/domain/store.ts';
import type { Zone } from '../src/domain/zones/zone.ts';
import { openStore } from '../src/storage/open.ts';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import { startServiceProcess } from '../test/support/service-process.ts';

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
const clock = systemClock();
const BATCH = 5000;

function filledZone(name: string, projectId: string): Zone {
  return {
    id: randomUUID(),
    name: canonicalName(name),
    projectId,
    pool: { id: DEFAULT_POOL_ID, nameServers: null, publishes: false },
    email: 'hostmaster@example.org',
    ttl: 3600,
    serial: 1,
    status: 'ACTIVE',
    action: 'NONE',
    description: null,
    attributes: {},
    version: 1,
    recordsets: 0,
    records: 0,
    bytes: 0,
    createdAt: clock.now(),
    updatedAt: null,
    transferredAt: null,
  };
}

function filledRecordset(zone: { id: string; name: string }, projectId: string, number: number): Recordset {
  return {
    id: randomUUID(),
    zoneId: zone.id,
    projectId,
    name: canonicalName(`filled-${number}.${zone.name}`),
    type: 'A',
    ttl: null,
    records: ['192.0.2.1'],
    spellings: {},
    bytes: 30,
    description: null,
    managed: false,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}

type Fill = (tx: Transaction, from: number, to: number) => Promise<void>;

async function inBatches(dataDir: string, count: number, fill: Fill): Promise<void> {
  const store = await openStore({ dataDir, busyTimeoutMs: 60_000, readTimeoutMs: 5000 });
  for (let from = 0; from < count; from += BATCH) {
    await store.transaction((tx) => fill(tx, from, Math.min(from + BATCH, count)));
  }
  await store.close();
}

function fillProject(dataDir: string, projectId: string, count: number): Promise<void> {
  return inBatches(dataDir, count, async (tx, from, to) => {
    for (let number = from; number < to; number++) {
      tx.zones.insert(filledZone(`filled-${number}.${projectId}.example.`, projectId));
    }
    tx.projects.grow(projectId, { zones: to - from });
  });
}

function fillZone(dataDir: string, projectId: string, zoneId: string, count: number): Promise<void> {
  return inBatches(dataDir, count, async (tx, from, to) => {
    const zone = (await tx.zones.lock(zoneId, 'all projects'))!;
    const rows = Array.from({ length: to - from }, (_, place) =>
      filledRecordset(zone, projectId, from + place),
    );
    await tx.recordsets.insert(rows, zone.serial);
    tx.projects.grow(projectId, { recordsets: rows.length });
    const grown = { ...zone, recordsets: zone.recordsets + rows.length, records: zone.records + rows.length };
    tx.zones.update(grown, `ns1.invalid. hostmaster.example.org. ${zone.serial} 3600 600 86400 3600`);
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
  await fillProject(service.dataDir, projectId, count);
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
  await fillZone(service.dataDir, projectId, zone.id, count);
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
