/** The whole contents of a large zone: all new, with a few differences, and as a dry run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, expectSuccess } from '../../test/support/client.ts';
import { freePort } from '../../test/support/free-port.ts';
import { dig } from '../../test/support/name-servers/dig.ts';
import { type ServiceProcess, startServiceProcess } from '../../test/support/service-process.ts';
import { Probe } from '../../trials/hostile/probe.ts';
import { ticksOf } from '../support/processor-time.ts';

const MS_OF_A_TICK = 10;
const DIFFERENT = 10;
const NAME = 'large.example.';
/** A zone is only published, and has differences for IXFR, if its pool has a server. Nothing listens there. */
const POOL = [
  {
    name: 'default',
    ns_records: [{ hostname: 'ns1.example.org.', priority: 1 }],
    nameservers: [{ host: '127.0.0.1', port: 9 }],
  },
];

interface Measured {
  readonly service: ServiceProcess;
  readonly probe: Probe;
  readonly store: string;
}

function fileOf(count: number, addressOf: (place: number) => string): string {
  return Array.from({ length: count }, (_, place) => `host-${place} 300 A ${addressOf(place)}\n`).join('');
}

/** The most memory that a process had at a time, in MB. */
function mostMemoryOf(pid: number): number {
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}

/** Sends contents, and prints what they cost. */
async function put(
  { service, probe, store }: Measured,
  { title, path, file, token }: { title: string; path: string; file: string; token: string },
) {
  // Memory that an earlier request used would count.
  await service.restart();
  const client = connect(service.url, token, 1);
  probe.reset(service.pid);
  const [begun, before] = [performance.now(), ticksOf(service.pid)];
  const { status, text } = await client.send('PUT', path, file, { 'content-type': 'text/dns' });
  const seconds = (performance.now() - begun) / 1000;
  client.close();
  if (status >= 300) throw new Error(`${title} was answered ${status}: ${text.slice(0, 1000)}`);
  const processor = ((ticksOf(service.pid) - before) * MS_OF_A_TICK) / 1000;
  // The probe tells every 50 ms.
  await new Promise((resolve) => setTimeout(resolve, 200));
  const cells = [store, title, seconds.toFixed(1), processor.toFixed(1), probe.largestTurn.toFixed(0)];
  console.log(`| ${[...cells, mostMemoryOf(service.pid)].join(' | ')} |`);
  return JSON.parse(text);
}

/** The number of records that dig gets by IXFR since a serial, without the SOA records. */
async function recordsOfIxfr(port: number, serial: number): Promise<number> {
  const { records } = await dig({ host: '127.0.0.1', port }, NAME, `IXFR=${serial}`);
  return records.filter(({ type }) => type !== 'SOA').length;
}

async function prepare({ service }: Measured) {
  const pools = join(service.dataDir, 'pools.json');
  writeFileSync(pools, JSON.stringify(POOL));
  service.command('pool', 'apply', pools, '--yes');
  const limits = { zone_recordsets: -1, zone_records: -1 };
  const admin = connect(service.url, service.admin, 1);
  await expectSuccess(admin, 'PATCH', '/v2/quotas/measured', limits);
  admin.close();
  const token = service.token('measured', 'member');
  const client = connect(service.url, token, 1);
  const { id } = await expectSuccess(client, 'POST', '/v2/zones', { name: NAME, email: 'a@example.org' });
  client.close();
  return { token, path: `/v2/zones/${id}/contents` };
}

async function measure(measured: Measured, port: number, count: number): Promise<void> {
  const to = await prepare(measured);
  const first = fileOf(count, () => '192.0.2.1');
  const second = fileOf(count, (place) => (place % (count / DIFFERENT) === 7 ? '192.0.2.2' : '192.0.2.1'));
  const none = { create: 0, update: 0, delete: 0, unchanged: count };
  await put(measured, {
    title: `dry run, all ${count} new`,
    ...to,
    path: `${to.path}?dry_run=true`,
    file: first,
  });
  const { to_serial: serial } = await put(measured, { title: `all ${count} new`, ...to, file: first });
  const { summary } = await put(measured, { title: `${DIFFERENT} of ${count} differ`, ...to, file: second });
  if (summary.update !== DIFFERENT) throw new Error(JSON.stringify(summary));
  const records = await recordsOfIxfr(port, serial);
  const again = await put(measured, { title: `none of ${count} differs`, ...to, file: second });
  if (JSON.stringify(again.summary) !== JSON.stringify(none)) throw new Error(JSON.stringify(again.summary));
  await put(measured, { title: `all ${count} deleted`, ...to, file: '; nothing\n' });
  console.log(
    `\n${measured.store}: dig gets the ${DIFFERENT} differences as ${records} records by IXFR, each removed and added.\n`,
  );
}

/** Measures a service of its own, so that the most memory is that of contents. */
export async function measureContents(
  store: string,
  environment: Readonly<Record<string, string>>,
  count: number,
): Promise<void> {
  const probe = new Probe();
  const port = await freePort();
  const service = await startServiceProcess(
    {
      ZONEWARDEN_DEFAULT__MAX_ZONE_SIZE: String(64 * 1024 * 1024),
      ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
      ZONEWARDEN_SERVICE_MDNS__ALLOW_NETWORKS: '127.0.0.1',
      ...environment,
    },
    probe.arguments,
  );
  try {
    await measure({ service, probe, store }, port, count);
  } finally {
    await service.remove();
    probe.remove();
  }
}
