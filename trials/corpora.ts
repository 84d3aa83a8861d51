/**
 * Other people's data: imports zone files, exports them again, and compares both with what named-compilezone reads; and asks of
 * lines of rdata whether they are taken as expected. It prints counts of agreement by kind, and lists what disagrees.
 *
 *     npm run trial -- corpora DIR [--list]
 *
 * In DIR, and the folders in it: zone files (`*.db`, `*.zone`), and lines of rdata (`*.rdata`: `TYPE<TAB>text<TAB>valid|invalid`).
 * The origin of a zone file is the owner of its SOA, its first $ORIGIN, or its name. Needs BIND's named-compilezone.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Client, connect, expectSuccess } from '../test/support/client.ts';
import { startServiceProcess } from '../test/support/service-process.ts';

const { values, positionals } = parseArgs({
  options: { list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) throw new Error('Name a folder: npm run trial -- corpora DIR');

/** Whether BIND reads the file is asked, not whether it likes the data. */
const LENIENT = ['-k', 'ignore', '-i', 'none', ...[...'MSTWr'].flatMap((check) => [`-${check}`, 'ignore'])];
/** Types that are only taken at the apex, where one recordset has to go before the next comes. */
const OF_APEX = ['CDS', 'CDNSKEY', 'CSYNC'];
/** The service writes it. */
const OF_SERVICE = 'SOA';
const UNLIMITED = ['ZONES', 'ZONE_RECORDSETS', 'ZONE_RECORDS', 'RECORDSET_RECORDS', 'API_EXPORT_SIZE'];
const scratch = mkdtempSync(join(tmpdir(), 'corpora-'));

/** Counts by kind, with an example of each. */
class Tally {
  readonly #counts = new Map<string, { count: number; example: string }>();

  add(kind: string, example: string): void {
    if (values.list) console.log(`${kind}: ${example}`);
    const known = this.#counts.get(kind);
    if (known === undefined) this.#counts.set(kind, { count: 1, example });
    else known.count += 1;
  }

  print(title: string): void {
    console.log(`\n${title}`);
    const rows = [...this.#counts].sort(([, one], [, other]) => other.count - one.count);
    for (const [kind, { count, example }] of rows)
      console.log(`${String(count).padStart(6)}  ${kind} (${example})`);
  }
}

/** The records that BIND reads, a line each in canonical form and order; undefined if it refuses the file. */
function compiled(origin: string, text: string | Buffer): string[] | undefined {
  const [input, output] = [join(scratch, 'in'), join(scratch, 'out')];
  writeFileSync(input, text);
  try {
    execFileSync('named-compilezone', [...LENIENT, '-s', 'full', '-o', output, origin, input], {
      stdio: 'pipe',
    });
  } catch {
    return undefined;
  }
  return readFileSync(output, 'latin1').trimEnd().split('\n');
}

/** Without the SOA and the NS of the apex, which the service keeps itself. */
function withoutApex(origin: string, lines: readonly string[]): string[] {
  const isKept = (line: string) => {
    const [name = '', , , type = ''] = line.split(/\s+/, 4);
    return name.toLowerCase() === origin.toLowerCase() && (type === 'SOA' || type === 'NS');
  };
  return lines.filter((line) => !isKept(line)).map((line) => line.toLowerCase());
}

/** A guess where the file does not say it; a zone needs two labels here. */
function originOf(file: string, text: string): string {
  const [, named] = /^\$ORIGIN\s+(\S+\.)\s/im.exec(text) ?? [];
  const [, owner] = /^([^\s;@$]\S*\.)\s(?:.*\s)?SOA\s/im.exec(text) ?? [];
  const base = basename(file).replace(/\.(db|zone)$/, '');
  const name = owner ?? named ?? `${base.replace(/[^\w.-]/g, '-')}.`;
  return /[^.]\.[^.]/.test(name) ? name : `${name}example.`.replace(/^\.+/, '');
}

/** The message of a refusal without what is different in each file. */
function reasonOf(answer: string): string {
  const { message = answer } = JSON.parse(answer) as { message?: string };
  const [first = ''] = message.split('\n');
  return first
    .replace(/\d+/g, 'N')
    .replace(/"[^"]*"|\S*\.\s/g, '… ')
    .slice(0, 110);
}

interface Imported {
  readonly id: string;
  readonly file: string;
}

async function roundTrip(client: Client, text: Buffer): Promise<Imported | string> {
  const headers = { 'content-type': 'text/dns' };
  const answer = await client.send('POST', '/v2/zones/tasks/imports', text, headers);
  if (answer.status >= 300) return reasonOf(answer.text);
  const { zone_id: id } = JSON.parse(answer.text) as { zone_id: string };
  const task = await expectSuccess(client, 'POST', `/v2/zones/${id}/tasks/export`);
  const { pathname } = new URL(task.links.self);
  const { text: file } = await client.send('GET', `${pathname}/export`, undefined, { accept: 'text/dns' });
  return { id, file };
}

async function tryZoneFile(client: Client, path: string, tally: Tally): Promise<void> {
  const own = readFileSync(path);
  const origin = originOf(path, own.toString('latin1'));
  const text = Buffer.concat([Buffer.from(`$ORIGIN ${origin}\n`), own]);
  const theirs = compiled(origin, text);
  const ours = await roundTrip(client, text);
  const name = path.slice(folder!.length + 1);
  if (typeof ours === 'string') {
    tally.add(theirs === undefined ? 'both refuse' : `refused here alone: ${ours}`, name);
    return;
  }
  await expectSuccess(client, 'DELETE', `/v2/zones/${ours.id}`);
  if (theirs === undefined) return tally.add('taken here alone', name);
  const again = compiled(origin, ours.file);
  const isEqual =
    again !== undefined && withoutApex(origin, theirs).join('\n') === withoutApex(origin, again).join('\n');
  tally.add(isEqual ? 'equal' : 'taken by both, and different', name);
}

/** Whether the service takes a line of rdata. The next one finds nothing of it at the apex. */
async function takes(
  client: Client,
  zone: { id: string; name: string },
  type: string,
  text: string,
  index: number,
) {
  const isOfApex = OF_APEX.includes(type);
  const name = isOfApex ? zone.name : `r${index}.${zone.name}`;
  const recordsets = `/v2/zones/${zone.id}/recordsets`;
  const answer = await client.send('POST', recordsets, { name, type, records: [text] });
  const isTaken = answer.status < 300;
  if (isTaken && isOfApex) {
    await expectSuccess(client, 'DELETE', `${recordsets}/${JSON.parse(answer.text).id}`);
  }
  return isTaken;
}

async function tryRdata(client: Client, path: string, tally: Tally): Promise<void> {
  const zone = await expectSuccess(client, 'POST', '/v2/zones', {
    name: 'rdata.example.',
    email: 'a@example.org',
  });
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    const [type = '', text, expected] = line.split('\t');
    if (text === undefined || expected === undefined || type === OF_SERVICE) continue;
    const found = (await takes(client, zone, type, text, index)) ? 'valid' : 'invalid';
    tally.add(
      found === expected ? `${type} agrees` : `${type} is ${found} here, ${expected} there`,
      text.slice(0, 60),
    );
  }
  await expectSuccess(client, 'DELETE', `/v2/zones/${zone.id}`);
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .sort()
  .map((file) => join(folder, file));
const service = await startServiceProcess(
  Object.fromEntries(UNLIMITED.map((quota) => [`ZONEWARDEN_DEFAULT__QUOTA_${quota}`, '-1'])),
);
const client = connect(service.url, service.token('corpora', 'member'), 1);
try {
  const [zones, rdata] = [new Tally(), new Tally()];
  for (const file of files.filter((one) => /\.(db|zone)$/.test(one))) await tryZoneFile(client, file, zones);
  for (const file of files.filter((one) => one.endsWith('.rdata'))) await tryRdata(client, file, rdata);
  zones.print('zone files');
  rdata.print('lines of rdata');
} finally {
  client.close();
  await service.remove();
  rmSync(scratch, { recursive: true, force: true });
}
