/** One IXFR of one record, in a small zone and in a large one, beside the AXFR of the large one. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connect, expectSuccess } from '../../test/support/client.ts';
import { quantile } from '../../test/support/figures.ts';
import { fillZone } from '../support/filled.ts';
import { Partner } from './partner.ts';
import { forgetPeak, peakMemory, residentMemory } from './processes.ts';
import { line, median, round, rows } from './report.ts';
import { type Backend, openStage, PROJECT, type Stage } from './stage.ts';
import { type Transferred, transfer } from './transfer.ts';

const SMALL = 10;
const WARM_UP = 5;
const WHOLE_TRANSFERS = 5;
/** Lets what a change leaves to do come to its end, so that it is not measured with the transfer. */
const QUIET = 150;

interface Measured {
  readonly what: string;
  readonly records: number;
  readonly transfers: Transferred[];
  /** The most that the service had during the transfers, above what it had before them, in MiB. */
  growth: number;
}

interface Target {
  readonly name: string;
  readonly id: string;
  serial: number;
  readonly measured: Measured;
}

async function makeZone(stage: Stage, client: Client, records: number): Promise<Target> {
  const name = `records-${records}.example.`;
  const body = { name, email: 'hostmaster@example.org' };
  const { id, serial } = await expectSuccess(client, 'POST', '/v2/zones', body);
  await fillZone(stage.store, PROJECT, id, records);
  return { name, id, serial, measured: { what: 'IXFR of 1 record', records, transfers: [], growth: 0 } };
}

/** Adds a record, and fetches what that has changed. */
async function change(
  { upstream }: Stage,
  client: Client,
  target: Target,
  number: number,
): Promise<Transferred> {
  const { name, id, serial } = target;
  const recordset = { name: `round-${number}.${name}`, type: 'A', records: ['192.0.2.2'] };
  await expectSuccess(client, 'POST', `/v2/zones/${id}/recordsets`, recordset);
  await delay(QUIET);
  const transferred = await transfer(upstream, name, serial);
  if (transferred.records.length !== 5) {
    throw new Error(`The IXFR of ${name} has ${transferred.records.length} records.`);
  }
  target.serial = transferred.serial;
  return transferred;
}

/** @param work returns undefined where what it did does not count */
async function take(
  pid: number,
  measured: Measured,
  work: () => Promise<Transferred | undefined>,
): Promise<void> {
  forgetPeak(pid);
  const before = residentMemory(pid);
  const transferred = await work();
  if (transferred === undefined) return;
  measured.transfers.push(transferred);
  measured.growth = Math.max(measured.growth, peakMemory(pid) - before);
}

function rowOf({ what, records, transfers, growth }: Measured) {
  const times = transfers.map(({ ms }) => ms);
  return {
    what,
    'records in the zone': records,
    p50_ms: median(times),
    p99_ms: round(quantile(times, 0.99)),
    bytes: transfers.at(-1)!.bytes,
    memory_growth_mib: round(growth),
  };
}

async function measure(stage: Stage, client: Client, records: number, rounds: number): Promise<Measured[]> {
  const { pid } = stage.service;
  const targets = [await makeZone(stage, client, SMALL), await makeZone(stage, client, records)];
  for (let number = -WARM_UP; number < rounds; number++) {
    for (const target of targets) {
      await take(pid, target.measured, async () => {
        const transferred = await change(stage, client, target, number + WARM_UP);
        return number < 0 ? undefined : transferred;
      });
    }
  }
  const whole: Measured = { what: 'AXFR', records, transfers: [], growth: 0 };
  for (let number = 0; number < WHOLE_TRANSFERS; number++) {
    await take(pid, whole, () => transfer(stage.upstream, targets[1]!.name));
  }
  return [...targets.map(({ measured }) => measured), whole];
}

export async function ixfr(backend: Backend, records: number, rounds: number): Promise<void> {
  const stage = await openStage(backend);
  const client = connect(stage.service.url, stage.token, 1);
  const partner = await Partner.open(stage.upstream.key, () => {});
  try {
    stage.applyPool([{ host: '127.0.0.1', port: partner.port }]);
    const measured = (await measure(stage, client, records, rounds)).map(rowOf);
    rows(measured);
    line('ixfr', { resident_mib: round(residentMemory(stage.service.pid)), transfers: measured });
  } finally {
    client.close();
    partner.close();
    await stage.remove();
  }
}
