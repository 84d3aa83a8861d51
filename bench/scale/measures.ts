/** What is measured on a filled store, in the order of the rows. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { earlier, epochSeconds, systemClock } from '../../src/model/clock.ts';
import { DEFAULT_POOL_ID } from '../../src/model/pools/pool.ts';
import { openStore } from '../../src/storage/open.ts';
import { bulkName, bulkProject } from '../../test/support/bulk-zones.ts';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { quantile } from '../../test/support/figures.ts';
import { findPostgres } from '../../test/support/postgres/binaries.ts';
import { storeOptions, storeSettings } from '../../test/support/store.ts';
import { CATALOG } from '../publication/stage.ts';
import { transfer } from '../publication/transfer.ts';
import type { FilledStore } from './filled-store.ts';
import { idle, memoryOf, probed } from './idle.ts';
import { adminTokenOf, command, type Place, type Running, start, stop, timedRun } from './program.ts';

const POLL_MS = 20;
const PAGE = 100;
const PRUNED = 500;
const WEEK = 7 * 86_400_000;
const TRANSFERS = 3;

export interface Subject {
  readonly place: Place;
  readonly zones: number;
  readonly rounds: number;
  readonly idleSeconds: number;
  /** The first process of the PostgreSQL server; undefined on the embedded database. */
  readonly database: number | undefined;
}

/** Takes the value of one row when it is known. */
export type Report = (what: string, value: string) => void;

/** Times a step again and again, in milliseconds. The first one does not count; `after` is not timed. */
async function repeated<T>(
  rounds: number,
  step: (round: number) => Promise<T>,
  after: (result: T, round: number) => unknown = () => {},
): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const begun = performance.now();
    const result = await step(round);
    times.push(performance.now() - begun);
    await after(result, round);
  }
  const counted = times.slice(1);
  return `${quantile(counted, 0.5).toFixed(2)} / ${quantile(counted, 0.99).toFixed(2)}`;
}

const zoneBody = (name: string) => ({ name, email: 'hostmaster@example.org' });

interface Zone {
  readonly id: string;
  readonly name: string;
  readonly serial: number;
}

/** Creates a zone as soon as the service takes changes. */
async function firstZone(client: Client, { partner }: FilledStore): Promise<Zone> {
  const body = zoneBody('first.example.');
  let made = await client.send('POST', '/v2/zones', body);
  while (made.status === 503) {
    await delay(POLL_MS);
    made = await client.send('POST', '/v2/zones', body);
  }
  if (made.status >= 300) throw new Error(`The first zone was answered ${made.status}: ${made.text}`);
  const zone = JSON.parse(made.text) as Zone;
  partner.has(zone.name, zone.serial);
  return zone;
}

async function measureStarts({ place }: Subject, filled: FilledStore, report: Report): Promise<Running> {
  report('until the names are indexed, s', filled.indexedIn.toFixed(1));
  const clean = await start(place);
  report('start after a clean stop, s', clean.startedIn.toFixed(2));
  await stop(clean, 'SIGKILL');
  const running = await start(place);
  report('start after kill -9, s', running.startedIn.toFixed(2));
  return running;
}

async function measureIdle(subject: Subject, { pid }: Running, client: Client, own: Zone, report: Report) {
  const seconds = subject.idleSeconds;
  const used = await idle(seconds, pid, subject.database);
  report(`processor time of the service in ${seconds} s without requests, s`, used.service.toFixed(2));
  report(`processor time of PostgreSQL in them, s`, used.database?.toFixed(2) ?? '–');
  const answers = await probed(seconds, pid, () => expectSuccess(client, 'GET', `/v2/zones/${own.id}`));
  report(`longest response time in ${seconds} s with a read every 20 ms, ms`, answers.longest.toFixed(1));
  report('most main-thread time between two responses, ms', answers.mostOfThread.toFixed(1));
  report('99th percentile of response times, ms', answers.p99.toFixed(2));
}

async function measureReads({ zones, rounds }: Subject, client: Client, report: Report) {
  const headers = { 'x-auth-sudo-project-id': bulkProject(zones >> 1) };
  const name = bulkName(zones >> 1);
  const ask = async (path: string, own: Readonly<Record<string, string>>) => {
    const { status, text } = await client.send('GET', path, undefined, own);
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
    return JSON.parse(text);
  };
  const search = (filter: string) => () => ask(`/v2/zones?name=${filter}`, { 'x-auth-all-projects': 'true' });
  const { id } = (await ask(`/v2/zones?name=${name}`, headers)).zones[0] as Zone;
  const rows: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['get a zone', () => ask(`/v2/zones/${id}`, headers)],
    ['list the zones of a project', () => ask('/v2/zones', headers)],
    ['list by name', search(name)],
    ['list by part of a name, 1 match', search(`*${name.slice(2, 11)}*`)],
    ['list by part of a name, 1 of 100 matches', search('*77.example*')],
    ['list by part of a name, 1 of 10 matches', search('*7.example*')],
    ['list by part of a name, all match', search('*bulk*')],
    ['list by a part that all have and one that is too short for the index', search('*bulk*23*')],
    ['list by part of a name, none matches', search('*zzzz*')],
    ['usage of all projects', () => ask('/v2/usage', {})],
  ];
  for (const [what, step] of rows) report(`${what}, p50 / p99, ms`, await repeated(rounds, step));
}

async function measureWrites(
  { rounds }: Subject,
  client: Client,
  { partner }: FilledStore,
  own: Zone,
  report: Report,
) {
  const path = `/v2/zones/${own.id}`;
  const name = (round: number) => `round-${round}.${own.name}`;
  const record = (round: number) => ({ name: name(round), type: 'A', records: ['192.0.2.1'] });
  // The server of the pool gets each serial, as if it fetched the zone at once.
  const fetched = async () => partner.has(own.name, (await expectSuccess(client, 'GET', path)).serial);
  report(
    'create a recordset, p50 / p99, ms',
    await repeated(
      rounds,
      (round) => expectSuccess(client, 'POST', `${path}/recordsets`, record(round)),
      fetched,
    ),
  );
  const made: Zone[] = [];
  report(
    'create a zone, p50 / p99, ms',
    await repeated(
      rounds,
      (round) => expectSuccess(client, 'POST', '/v2/zones', zoneBody(`zone-${round}.example.`)),
      (zone: Zone) => {
        partner.has(zone.name, zone.serial);
        made.push(zone);
      },
    ),
  );
  report(
    'delete a zone, p50 / p99, ms',
    await repeated(rounds, (round) => {
      partner.has(made[round]!.name, undefined);
      return expectSuccess(client, 'DELETE', `/v2/zones/${made[round]!.id}`);
    }),
  );
}

/** The sweep asks servers at a rate of its own: what grows with the store is how it reads, and what is removed beside it. */
async function measureSweep({ place, zones, rounds }: Subject, report: Report) {
  const store = await openStore({ ...storeSettings(place.dataDir), busyTimeoutMs: 60_000 });
  const clock = systemClock();
  try {
    const after = (round: number) =>
      `${Math.floor(((round % 10) / 10) * zones)
        .toString(16)
        .padStart(8, '0')}-`;
    report(
      'the sweep reads 100 zones, p50 / p99, ms',
      await repeated(rounds, (round) => store.publications.page(DEFAULT_POOL_ID, after(round), PAGE)),
    );
    report(
      'nothing old is there to be removed, p50 / p99, ms',
      await repeated(rounds, () =>
        store.transaction(async (tx) => {
          const before = earlier(clock.now(), WEEK);
          await tx.publications.pruneFormer(before, '', PRUNED);
          await tx.publications.pruneCatalogs(epochSeconds(before), PRUNED);
        }),
      ),
    );
  } finally {
    await store.close();
  }
}

async function measureTransfers(
  { rounds }: Subject,
  client: Client,
  { upstream, partner }: FilledStore,
  report: Report,
) {
  const whole: number[] = [];
  let serial = 0;
  for (let round = 0; round < TRANSFERS; round++) {
    const transferred = await transfer(upstream, CATALOG);
    whole.push(transferred.ms / 1000);
    serial = transferred.serial;
  }
  report('AXFR of the catalog, s', quantile(whole, 0.5).toFixed(2));
  const steps: number[] = [];
  for (let round = 0; round < Math.min(rounds, 50); round++) {
    const name = `member-${randomUUID()}.example.`;
    const zone: Zone = await expectSuccess(client, 'POST', '/v2/zones', zoneBody(name));
    partner.has(zone.name, zone.serial);
    for (;;) {
      const step = await transfer(upstream, CATALOG, serial);
      serial = step.serial;
      if (step.records.some(({ rdata }) => rdata === name)) {
        steps.push(step.ms);
        break;
      }
      await delay(POLL_MS);
    }
  }
  report(
    'IXFR of a new zone in the catalog, p50 / p99, ms',
    `${quantile(steps, 0.5).toFixed(2)} / ${quantile(steps, 0.99).toFixed(2)}`,
  );
}

function backup({ place, database }: Subject): Promise<number> {
  const file = `${place.dataDir}-backup`;
  if (database === undefined) return command(place, 'db', 'backup', file);
  const connection = storeOptions(place.dataDir).ZONEWARDEN_STORAGE__CONNECTION!;
  return timedRun(join(findPostgres()!.folder, 'pg_dump'), ['--format=custom', `--file=${file}`, connection]);
}

/** Measures everything and reports each row as soon as it is known. */
export async function measureStore(subject: Subject, filled: FilledStore, report: Report): Promise<void> {
  const { place } = subject;
  const running = await measureStarts(subject, filled, report);
  const client = connect(running.url, adminTokenOf(place), 1);
  try {
    const memory = memoryOf(running.pid);
    const begun = performance.now();
    const own = await firstZone(client, filled);
    report('until it accepts changes after kill -9, s', ((performance.now() - begun) / 1000).toFixed(2));
    report('memory after the start, MiB', memory.toFixed(0));
    await measureIdle(subject, running, client, own, report);
    await measureReads(subject, client, report);
    await measureWrites(subject, client, filled, own, report);
    await measureTransfers(subject, client, filled, report);
    await measureSweep(subject, report);
  } finally {
    client.close();
    await stop(running);
  }
  report('verify, s', (await command(place, 'verify')).toFixed(1));
  report('backup (PostgreSQL: pg_dump), s', (await backup(subject)).toFixed(1));
}
