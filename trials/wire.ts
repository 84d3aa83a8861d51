/**
 * Hostile messages to the hidden primary of a running service, by UDP and TCP: it lives, tells strangers nothing, gives none of
 * them more than they sent, does all of it in short turns, and keeps nothing. Ends with 1 when anything is off.
 *
 *     npm run trial -- wire [--messages 100000] [--seed 1]
 */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, expectSuccess } from '../test/support/client.ts';
import { askByUdp, DnsConnection } from '../test/support/dns-client.ts';
import { table } from '../test/support/figures.ts';
import { freePort } from '../test/support/free-port.ts';
import { startServiceProcess } from '../test/support/service-process.ts';
import { sendDatagrams } from './wire/datagrams.ts';
import { askInside, type Inside, PROBED } from './wire/inside.ts';
import { sendStreams } from './wire/streams.ts';
import { Tally } from './wire/tally.ts';

const { values: options } = parseArgs({
  options: { messages: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const messages = Number(options.messages);
const seed = Number(options.seed);

const STREAMS = 0.2;
/** The longest turn, in milliseconds. */
const MAX_TURN = 50;
/** What may be added to memory between a fifth of the messages and all of them, in octets. */
const MAX_GROWTH = { heap: 16 * 2 ** 20, rss: 64 * 2 ** 20 };
const ZONES = 20;
const RECORDS = 2000;
const DEFAULT_POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const CATALOG = 'catalog.invalid.';

const port = await freePort();
const service = await startServiceProcess(
  { ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`, ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn' },
  PROBED,
);
const key = {
  name: 'pool-key',
  algorithm: 'hmac-sha256',
  secret: randomBytes(32).toString('base64'),
} as const;
const wireKey = { name: 'pool-key.', algorithm: key.algorithm, secret: Buffer.from(key.secret, 'base64') };
const zones = Array.from({ length: ZONES }, (_, place) => `zone-${place}.example.`);

/** Zones in a pool whose name server is never there. */
async function prepare(): Promise<void> {
  const admin = connect(service.url, service.admin, 1);
  await expectSuccess(admin, 'POST', '/v2/tsigkeys', { ...key, scope: 'POOL', resource_id: DEFAULT_POOL });
  await expectSuccess(admin, 'PATCH', '/v2/quotas/admin', {
    zones: -1,
    zone_recordsets: -1,
    zone_records: -1,
  });
  const file = join(tmpdir(), `zonewarden-pools-${process.pid}.yaml`);
  const servers = `nameservers: [{host: 127.0.0.1, port: ${await freePort()}}]`;
  const catalog = `catalog_zone: {fqdn: ${CATALOG}}`;
  writeFileSync(
    file,
    `- {name: default, ns_records: [{hostname: ns1.example.net., priority: 1}], ${servers}, ${catalog}, tsig_key: pool-key}\n`,
  );
  service.command('pool', 'apply', file, '--yes');
  rmSync(file);
  for (const name of zones) await expectSuccess(admin, 'POST', '/v2/zones', { name, email: 'a@example.org' });
  const records = Array.from({ length: RECORDS }, (_, place) => `r${place} IN A 192.0.2.${place % 256}`);
  const soa = '@ 300 IN SOA ns1.example.net. a.example.org. 1 3600 600 86400 300';
  const text = ['$ORIGIN large.example.', '$TTL 300', soa, ...records, ''].join('\n');
  const headers = { 'x-auth-token': service.admin, 'content-type': 'text/dns' };
  await fetch(`${service.url}/v2/zones/tasks/imports`, { method: 'POST', headers, body: text });
  admin.close();
}

/** A server that asks well is answered as ever. */
async function requireService(tally: Tally): Promise<void> {
  const address = { host: '127.0.0.1', port };
  const { header } = await askByUdp(address, { name: zones[0]!, type: 'SOA', key: wireKey });
  if (header.rcode !== 0) tally.fault(`a server that asks well is answered RCODE ${header.rcode}`);
  const connection = await DnsConnection.open(address);
  const { records } = await connection.transfer({ name: 'large.example.', type: 'AXFR', key: wireKey });
  connection.close();
  if (records.length < RECORDS) tally.fault(`a transfer has ${records.length} records`);
}

async function send(round: number, count: number, tally: Tally): Promise<void> {
  const to = {
    seed: seed * 100 + round,
    port,
    ground: { key: wireKey, names: [...zones, 'large.example.', CATALOG, 'not-there.example.', '.'] },
  };
  const streams = Math.ceil(count * STREAMS);
  await Promise.all([sendDatagrams(to, count - streams, tally), sendStreams(to, streams, tally)]);
  // Connections that wait for the rest of a message are closed by then.
  await sleep(6000);
}

function requireBounds([, early, late]: readonly Inside[], tally: Tally): void {
  for (const { turn } of [early!, late!]) {
    if (turn > MAX_TURN) tally.fault(`a turn took ${turn.toFixed(1)} ms`);
  }
  for (const what of ['heap', 'rss'] as const) {
    const grown = late![what] - early![what];
    if (grown > MAX_GROWTH[what]) tally.fault(`the ${what} grew by ${grown} octets`);
  }
  const errors = service.logged.filter(({ level }) => Number(level) >= 50);
  for (const error of errors.slice(0, 5)) tally.fault(`an error in the log: ${JSON.stringify(error)}`);
}

function report(tally: Tally, seen: readonly Inside[], seconds: number): void {
  console.log(`${tally.sent} messages in ${seconds.toFixed(0)} s, seed ${seed}\n`);
  const sorted = (counts: ReadonlyMap<string, number>) =>
    [...counts].sort().map(([what, n]) => [what, `${n}`]);
  table(['kind', 'messages'], sorted(tally.kinds));
  table(['answered', 'messages'], sorted(tally.answers));
  table(
    ['', 'before', 'after a fifth', 'after all'],
    [
      ['longest turn, ms', ...seen.map(({ turn }) => turn.toFixed(1))],
      ...(['heap', 'rss'] as const).map((what) => [
        `${what}, MB`,
        ...seen.map((one) => (one[what] / 2 ** 20).toFixed(1)),
      ]),
    ],
  );
}

const tally = new Tally();
try {
  await prepare();
  await requireService(tally);
  await askInside(service.pid);
  await sleep(1000);
  const seen = [await askInside(service.pid)];
  const start = performance.now();
  const first = Math.ceil(messages / 5);
  await send(1, first, tally);
  seen.push(await askInside(service.pid));
  await send(2, messages - first, tally);
  seen.push(await askInside(service.pid));
  await requireService(tally);
  requireBounds(seen, tally);
  report(tally, seen, (performance.now() - start) / 1000 - 12);
} finally {
  await service.remove();
}
console.log(tally.faults.length === 0 ? 'No fault.' : `${tally.faults.length} faults.`);
process.exit(tally.faults.length === 0 ? 0 : 1);
