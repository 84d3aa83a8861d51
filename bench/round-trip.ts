/**
 * Real names there and back: creates every name of the given files as a zone with an MX, an A, an AAAA and a TXT
 * recordset, exports each zone, imports the file into a second service, and exports it there.
 *
 *     npm run bench -- round-trip NAMES...
 *
 * Ends with 1 when a file from the second service differs in more than the SOA and the NS at the apex, or when
 * `zonewarden verify` finds a fault in either.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess, forEachInParallel } from '../test/support/client.ts';
import { startServiceProcess } from '../test/support/service-process.ts';

const IN_FLIGHT = 16;
const PROJECT = 'tenant';
const UNLIMITED = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1', ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn' };

const { positionals } = parseArgs({ allowPositionals: true });

/** The distinct names of the files, absolute. */
function readNames(files: readonly string[]): string[] {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split(/\r?\n/));
  const names = lines.map((line) => line.trim().toLowerCase()).filter((line) => line !== '');
  return [...new Set(names.map((name) => (name.endsWith('.') ? name : `${name}.`)))];
}

/** Creates a zone with its recordsets, one request each. Returns the id of the zone. */
async function createZone(client: Client, name: string): Promise<string> {
  const zone = { name, email: 'hostmaster@example.org' };
  const { id } = await expectSuccess(client, 'POST', '/v2/zones', zone);
  const recordsets = [
    { type: 'MX', records: [`10 mail.${name}`, '20 mail.example.org.'] },
    { type: 'A', records: ['192.0.2.1', '192.0.2.2'], ttl: 300 },
    { type: 'AAAA', records: ['2001:db8::1'] },
    { type: 'TXT', records: ['"v=spf1 mx -all"', '"a \\"quoted\\" text; with more"'] },
  ];
  for (const recordset of recordsets) {
    await expectSuccess(client, 'POST', `/v2/zones/${id}/recordsets`, { name, ...recordset });
  }
  return id;
}

/** Imports a zone file and returns the id of the zone. */
async function importZone(client: Client, file: string): Promise<string> {
  const headers = { 'content-type': 'text/dns' };
  const { status, text } = await client.send('POST', '/v2/zones/tasks/imports', file, headers);
  if (status !== 202) throw new Error(`An import was answered ${status}: ${text}`);
  return JSON.parse(text).zone_id;
}

async function exportZone(client: Client, id: string): Promise<string> {
  const { id: task } = await expectSuccess(client, 'POST', `/v2/zones/${id}/tasks/export`);
  const { status, text } = await client.send('GET', `/v2/zones/tasks/exports/${task}/export`);
  if (status !== 200) throw new Error(`The file of the zone ${id} was answered ${status}: ${text}`);
  return text;
}

/** The lines of a zone file without the two recordsets that each service keeps itself. */
function withoutManaged(file: string, name: string): readonly string[] {
  const isManaged = (line: string) => line.startsWith(`${name} `) && / IN (SOA|NS) /.test(line);
  return file.split('\n').filter((line) => line !== '' && !isManaged(line));
}

/** Turns every entry into what the work makes of it, and prints how long that took. */
async function timed<T, R>(
  what: string,
  items: ReadonlyMap<string, T>,
  work: (item: T, name: string) => Promise<R>,
): Promise<ReadonlyMap<string, R>> {
  const results = new Map<string, R>();
  const start = performance.now();
  await forEachInParallel(items, IN_FLIGHT, async ([name, item]) => {
    results.set(name, await work(item, name));
  });
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${what}: ${items.size} zones in ${seconds.toFixed(1)} s, ${Math.round(items.size / seconds)}/s`,
  );
  return results;
}

/** Returns the names whose files are not the same. */
async function run(first: Client, second: Client): Promise<readonly string[]> {
  const names = new Map(readNames(positionals).map((name) => [name, name]));
  const ids = await timed('created, with four recordsets', names, (name) => createZone(first, name));
  const files = await timed('exported', ids, (id) => exportZone(first, id));
  const imported = await timed('imported elsewhere', files, (file) => importZone(second, file));
  const again = await timed('exported there', imported, (id) => exportZone(second, id));
  const contents = (from: ReadonlyMap<string, string>, name: string) =>
    withoutManaged(from.get(name) ?? '', name);
  const differing = [...names.keys()].filter(
    (name) => contents(files, name).join('\n') !== contents(again, name).join('\n'),
  );
  // The first line is the $ORIGIN.
  const records = [...names.keys()].reduce((sum, name) => sum + contents(again, name).length - 1, 0);
  console.log(`${again.size} files with ${records} records beside SOA and NS: ${differing.length} differ`);
  return differing;
}

const services = await Promise.all([startServiceProcess(UNLIMITED), startServiceProcess(UNLIMITED)]);
const [first, second] = services.map(({ url, token }) => connect(url, token(PROJECT, 'member'), IN_FLIGHT));
try {
  const differing = await run(first!, second!);
  for (const name of differing) console.log(`differs: ${name}`);
  if (differing.length > 0) process.exitCode = 1;
  // Throws when it does not end with 0.
  for (const service of services) console.log(service.command('verify').trim());
} finally {
  first?.close();
  second?.close();
  await Promise.all(services.map((service) => service.remove()));
}
