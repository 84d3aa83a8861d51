import { parseRdata } from '../../../src/dns/parse-rdata.ts';
import type { RecordType } from '../../../src/dns/record-types.ts';
import { run } from '../process.ts';

/** Where to ask. */
export interface Asked {
  readonly host: string;
  readonly port: number;
}

/** Options of dig that sign with a key. */
export const signedWith = (name: string, secret: string): string[] => ['-y', `hmac-sha256:${name}:${secret}`];

export interface DugRecord {
  readonly name: string;
  readonly ttl: number;
  readonly type: string;
  readonly rdata: string;
}

export interface Dug {
  /** Of the answer, such as NOERROR; undefined without one. */
  readonly status: string | undefined;
  /** Those of the sections answer and authority. */
  readonly records: readonly DugRecord[];
  /** All that dig printed. */
  readonly text: string;
}

const OUTPUT = ['+noall', '+comments', '+answer', '+authority', '+nosplit', '+norecurse'];

function recordsOf(text: string): DugRecord[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  return lines.map((line) => {
    const [, name = '', ttl, type = '', rdata = ''] = /^(\S+)\s+(\d+)\s+IN\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (type === '') throw new Error(`dig printed no record: ${line}`);
    return { name: name.toLowerCase(), ttl: Number(ttl), type, rdata };
  });
}

/** Asks a server by dig. */
export async function dig({ host, port }: Asked, ...question: readonly string[]): Promise<Dug> {
  const { out } = await run(['dig', `@${host}`, '-p', String(port), ...OUTPUT, ...question]);
  return { status: /status: (\w+)/.exec(out)?.[1], records: recordsOf(out), text: out };
}

/** Transfers a zone by dig: its records from the first SOA to the last. */
export async function transfer(
  { host, port }: Asked,
  zone: string,
  ...options: readonly string[]
): Promise<Dug> {
  const to = ['dig', `@${host}`, '-p', String(port)];
  const { out } = await run([...to, '+nosplit', '+noall', '+answer', ...options, zone, 'AXFR']);
  return { status: /status: (\w+)/.exec(out)?.[1], records: recordsOf(out), text: out };
}

/** The serial that a server has of a zone; undefined if it has none. */
export async function serialAt(server: Asked, zone: string): Promise<number | undefined> {
  const { records } = await dig(server, zone, 'SOA');
  const soa = records.find(({ name, type }) => type === 'SOA' && name === zone);
  return soa && Number(soa.rdata.split(' ')[2]);
}

/** Those of the zones for which a server answers. */
export async function answeredAt({ host, port }: Asked, zones: readonly string[]): Promise<Set<string>> {
  // The options of the command line hold for no line of the file.
  const options = `@${host} -p ${port} +noall +answer +norecurse`;
  const input = zones.map((zone) => `${options} ${zone} SOA\n`).join('');
  const { out } = await run(['dig', '-f', '-'], { input });
  return new Set(recordsOf(out).map(({ name }) => name));
}

/** The one text in which equal rdata of a type is equal, whoever wrote it. */
export function canonical(type: string, text: string): string {
  const parsed = parseRdata(type as RecordType, text);
  if (!parsed.ok) throw new Error(`${type} ${text}: ${parsed.reason}`);
  return parsed.rdata;
}

/** The rdata of a name and type at a server, in canonical form and order. */
export async function rdataAt(server: Asked, name: string, type: string): Promise<string[]> {
  const { records } = await dig(server, name, type);
  const own = records.filter((record) => record.name === name && record.type === type);
  return own.map(({ rdata }) => canonical(type, rdata)).sort();
}
