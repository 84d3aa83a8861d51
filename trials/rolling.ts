/**
 * Two versions of the program on one PostgreSQL database, as during a rolling restart: both write the recordsets of a zone in
 * turn. Both serve what is there, IXFR leads from every serial to the present, and the history of the later version ends at the
 * last change by the earlier one. Ends with 1 when anything is off.
 *
 *     npm run trial -- rolling -- --before /path/to/the/earlier/dist/main.js [--changes 60] [--seed 1]
 */
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { typeNumber } from '../src/dns/record-types.ts';
import type { WireRecord } from '../src/dns/wire/record.ts';
import { type Client, connect } from '../test/support/client.ts';
import { DnsConnection } from '../test/support/dns-client.ts';
import { eventually } from '../test/support/eventually.ts';
import { freePort } from '../test/support/free-port.ts';
import { startPostgres } from '../test/support/postgres/server.ts';
import { Random } from '../test/support/random.ts';
import { type ServiceProcess, startServiceProcess } from '../test/support/service-process.ts';

const { values: options } = parseArgs({
  options: {
    before: { type: 'string' },
    changes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
if (options.before === undefined) throw new Error('Name the earlier program with --before.');
const NAME = 'rolling.example.';
const SOA = typeNumber('SOA');
const random = new Random(Number(options.seed));
const secret = randomBytes(32).toString('base64');
const key = { name: 'pool-key.', algorithm: 'hmac-sha256', secret: Buffer.from(secret, 'base64') } as const;

let isOff = false;
function check(isRight: boolean, what: string, about: unknown = ''): void {
  if (isRight) return;
  isOff = true;
  console.error(`${what} ${typeof about === 'string' ? about : JSON.stringify(about)}`);
}

interface Member {
  readonly service: ServiceProcess;
  readonly port: number;
  readonly client: Client;
  readonly isLater: boolean;
}

const server = await startPostgres();
const connection = await server.createDatabase();

async function start(program: string | undefined, isLater: boolean, token?: string): Promise<Member> {
  const port = await freePort();
  const environment = {
    ZONEWARDEN_STORAGE__CONNECTION: connection,
    ZONEWARDEN_SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
  };
  const service = await startServiceProcess(environment, [], program);
  return { service, port, client: connect(service.url, token ?? service.admin, 4), isLater };
}

async function answered({ client }: Member, method: string, path: string, body?: object) {
  const { status, text, headers } = await client.send(method, path, body);
  return { status, json: text === '' ? undefined : JSON.parse(text), headers };
}

/** Makes a pool that publishes, with a name server that is never there, and a zone in it. */
async function prepare(member: Member): Promise<string> {
  await answered(member, 'POST', '/v2/tsigkeys', {
    name: 'pool-key',
    algorithm: 'hmac-sha256',
    secret,
    scope: 'POOL',
    resource_id: '794ccc2c-d751-44fe-b57f-8894c9f5c842',
  });
  const file = join(tmpdir(), `zonewarden-rolling-${process.pid}.yaml`);
  const servers = `nameservers: [{host: 127.0.0.1, port: ${await freePort()}}]`;
  writeFileSync(
    file,
    `- {name: default, ns_records: [{hostname: ns1.example.net., priority: 1}], ${servers}, catalog_zone: {fqdn: catalog.invalid.}, tsig_key: pool-key}\n`,
  );
  member.service.command('pool', 'apply', file, '--yes');
  rmSync(file);
  const { json } = await answered(member, 'POST', '/v2/zones', { name: NAME, email: 'a@example.org' });
  return json.id;
}

const shown = ({ name, type, ttl, rdata }: WireRecord) => `${name} ${ttl} ${type} ${rdata}`;
const isSoa = ({ type }: WireRecord) => type === SOA;
const serialOf = ({ rdata }: WireRecord) => Number(rdata.split(' ')[2]);

async function transfer({ port }: Member, ask: { readonly type: 'AXFR' | 'IXFR'; readonly serial?: number }) {
  const dns = await DnsConnection.open({ host: '127.0.0.1', port });
  const { records } = await dns.transfer({ name: NAME, key, ...ask });
  dns.close();
  return records;
}

const sorted = (texts: Iterable<string>) => [...texts].sort();

/** The zone after a transfer, from what it was. */
function after(records: readonly WireRecord[], from: readonly string[]): readonly string[] {
  const [first, second] = records;
  if (second === undefined || !isSoa(second))
    return sorted(
      records
        .slice(0, -1)
        .filter((one) => !isSoa(one))
        .map(shown),
    );
  const zone = new Set(from);
  let isRemoval = false;
  for (const record of records.slice(1, -1)) {
    if (isSoa(record)) isRemoval = !isRemoval;
    else if (isRemoval) zone.delete(shown(record));
    else zone.add(shown(record));
  }
  check(serialOf(records.at(-1)!) === serialOf(first!), 'IXFR ends with another serial');
  return sorted(zone);
}

async function whole(
  member: Member,
): Promise<{ readonly serial: number; readonly records: readonly string[] }> {
  const records = await transfer(member, { type: 'AXFR' });
  return { serial: serialOf(records[0]!), records: sorted(records.filter((one) => !isSoa(one)).map(shown)) };
}

/** Creates, changes or deletes one of few recordsets. */
async function write(member: Member, zoneId: string): Promise<void> {
  const path = `/v2/zones/${zoneId}/recordsets`;
  const name = `r${random.below(8)}.${NAME}`;
  const records = [`192.0.2.${random.below(200)}`];
  const { json } = await answered(member, 'GET', `${path}?name=${name}`);
  const [stored] = json.recordsets;
  const { status } =
    stored === undefined
      ? await answered(member, 'POST', path, { name, type: 'A', records, ttl: 60 })
      : random.chance(0.4)
        ? await answered(member, 'DELETE', `${path}/${stored.id}`)
        : await answered(member, 'PUT', `${path}/${stored.id}`, { records });
  check(status === 202, 'A write was answered', String(status));
}

const before = await start(options.before, false);
const zoneId = await prepare(before);
for (let made = 0; made < 5; made++) await write(before, zoneId);
const later = await start(undefined, true, before.service.admin);
const states = [await whole(before)];
const writers = [false];
for (let made = 0; made < Number(options.changes); made++) {
  const isLater = made % 7 === 6 || random.chance(0.7);
  await write(isLater ? later : before, zoneId);
  const [one, other] = [await eventually(() => whole(before)), await whole(later)];
  check(isDeepStrictEqual(one, other), 'The two serve different zones');
  if (one.serial === states.at(-1)!.serial) continue;
  states.push(one);
  writers.push(isLater);
}
const present = states.at(-1)!;
let differences = 0;
for (const { serial, records } of states.slice(0, -1)) {
  for (const member of [before, later]) {
    const got = await transfer(member, { type: 'IXFR', serial });
    if (got[1] !== undefined && isSoa(got[1])) differences += 1;
    const who = member.isLater ? 'later' : 'earlier';
    check(
      isDeepStrictEqual(after(got, records), present.records),
      `IXFR of the ${who} from ${serial} is wrong`,
    );
  }
}
const lastBefore = writers.lastIndexOf(false);
for (const [place, { serial }] of states.entries()) {
  const { status } = await answered(later, 'GET', `/v2/zones/${zoneId}/contents?serial=${serial}`);
  const wanted = place >= lastBefore ? 200 : 404;
  check(
    status === wanted,
    `The state ${place} of ${states.length} is answered`,
    `${status} instead of ${wanted}`,
  );
}
const { json: list } = await answered(later, 'GET', `/v2/zones/${zoneId}/changes?limit=1000`);
const own = writers.filter((isLater) => isLater).length;
check(list.changes.length === own, 'The history has', `${list.changes.length} changes instead of ${own}`);
console.log(later.service.command('verify').trim());
console.log(
  `${states.length} states, ${own} by the later version; ${differences} of ${2 * states.length - 2} IXFR were differences`,
);
for (const { client, service } of [before, later]) {
  client.close();
  await service.remove();
}
await server.stop();
process.exitCode = isOff ? 1 : 0;
