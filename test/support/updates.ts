/** UPDATE messages, and a service whose hidden primary takes them. */
import { randomBytes } from 'node:crypto';
import { encodeName } from '../../src/dns/encoding/names.ts';
import { WireWriter } from '../../src/dns/encoding/writer.ts';
import { typeNumber } from '../../src/dns/record-types.ts';
import { CLASS, OPCODE } from '../../src/dns/wire/codes.ts';
import { encodeRdata } from '../../src/dns/wire/rdata.ts';
import { signMessage, type TsigSecret, verifyMessage } from '../../src/dns/wire/tsig.ts';
import { type Address, DnsConnection, decodeAnswer, exchange } from './dns-client.ts';
import { freePort } from './free-port.ts';
import { startTestService, type TestService } from './service.ts';
import { type Tenant, type TestZone, tenantOf } from './tenant.ts';

/** One record of a section: without rdata its length is 0. Octets are written as they are. */
export interface SentRecord {
  readonly name: string;
  readonly type: string | number;
  readonly class: number;
  readonly ttl?: number;
  readonly rdata?: string | Buffer;
}

export interface SentUpdate {
  readonly zone: string;
  readonly zoneClass?: number;
  readonly zoneType?: string;
  /** How often the zone section names the zone. */
  readonly zones?: number;
  readonly prerequisites?: readonly SentRecord[];
  readonly updates?: readonly SentRecord[];
  readonly hasOpt?: boolean;
  readonly id?: number;
}

type TypeText = Parameters<typeof typeNumber>[0];
const numberOf = (type: string | number): number =>
  typeof type === 'number' ? type : typeNumber(type as TypeText);

export const add = (name: string, type: string, ttl: number, rdata: string): SentRecord => {
  return { name, type, class: CLASS.IN, ttl, rdata };
};
export const removeSet = (name: string, type: string): SentRecord => ({ name, type, class: CLASS.ANY });
export const removeName = (name: string): SentRecord => ({ name, type: 'ANY', class: CLASS.ANY });
export const removeRecord = (name: string, type: string, rdata: string): SentRecord => {
  return { name, type, class: CLASS.NONE, rdata };
};
export const inUse = (name: string): SentRecord => removeName(name);
export const setExists = (name: string, type: string): SentRecord => removeSet(name, type);
export const notInUse = (name: string): SentRecord => ({ name, type: 'ANY', class: CLASS.NONE });
export const noSet = (name: string, type: string): SentRecord => ({ name, type, class: CLASS.NONE });
export const recordExists = (name: string, type: string, rdata: string): SentRecord => {
  return { name, type, class: CLASS.IN, rdata };
};

function writeRecord(writer: WireWriter, { name, type, class: given, ttl = 0, rdata }: SentRecord): void {
  encodeName(writer, name, true);
  writer.u16(numberOf(type));
  writer.u16(given);
  writer.u32(ttl);
  writer.withLength(() => {
    if (typeof rdata === 'object') writer.bytes(rdata);
    else if (rdata !== undefined) encodeRdata(writer, numberOf(type), rdata, { compress: false });
  });
}

/** The octets of a message, without a signature. */
export function updateOctets(update: SentUpdate): Buffer {
  const { zone, zones = 1, zoneType = 'SOA', zoneClass = CLASS.IN } = update;
  const { prerequisites = [], updates = [], hasOpt = true } = update;
  const writer = new WireWriter();
  writer.u16(update.id ?? randomBytes(2).readUInt16BE());
  writer.u16(OPCODE.UPDATE << 11);
  for (const count of [zones, prerequisites.length, updates.length, hasOpt ? 1 : 0]) writer.u16(count);
  for (let left = zones; left > 0; left -= 1) {
    encodeName(writer, zone, false);
    writer.u16(numberOf(zoneType));
    writer.u16(zoneClass);
  }
  for (const record of [...prerequisites, ...updates]) writeRecord(writer, record);
  if (hasOpt) {
    writer.u8(0);
    writer.u16(typeNumber('OPT' as TypeText));
    writer.u16(1232);
    writer.u32(0);
    writer.u16(0);
  }
  return writer.toBuffer();
}

/** An answer to an UPDATE. */
export interface UpdateAnswer {
  readonly rcode: number;
  /** The error in its TSIG; undefined without a TSIG. */
  readonly tsigError: number | undefined;
  /** INFO-CODE and EXTRA-TEXT; undefined for none. */
  readonly error: { readonly code: number; readonly text: string } | undefined;
  readonly length: number;
}

/** The Extended DNS Error in an answer whose OPT is the last record but the TSIG. */
function extendedError(octets: Buffer): UpdateAnswer['error'] {
  const at = octets.indexOf(Buffer.from([0, 0, 41, 4, 208]));
  if (at < 0 || octets.readUInt16BE(at + 9) === 0) return undefined;
  const length = octets.readUInt16BE(at + 13);
  return { code: octets.readUInt16BE(at + 15), text: octets.toString('utf8', at + 17, at + 15 + length) };
}

const now = (): number => Math.floor(Date.now() / 1000);

/** The signature of a message, and the time in it. */
interface SentSignature {
  readonly key: TsigSecret;
  readonly mac: Buffer;
  readonly time: number;
}

/** @param sign the signature of the question; that of the answer must fit */
function readUpdateAnswer(octets: Buffer, sign?: SentSignature): UpdateAnswer {
  const { header, tsig } = decodeAnswer(octets);
  if (sign !== undefined && tsig?.mac.length) {
    const verdict = verifyMessage(octets, () => sign.key, { now: sign.time, priorMac: sign.mac });
    if (!verdict.ok && !verdict.reported)
      throw new Error(`The answer is not signed rightly: ${verdict.error}.`);
  }
  const { rcode } = header;
  return { rcode, tsigError: tsig?.error, error: extendedError(octets), length: octets.length };
}

/** Sends octets by UDP or TCP. */
async function sendOctets(address: Address, octets: Buffer, isTcp = false): Promise<Buffer> {
  if (!isTcp) {
    const answer = await exchange(address, octets, 30_000);
    if (answer === undefined) throw new Error('No answer came within 30 seconds.');
    return answer;
  }
  const connection = await DnsConnection.open(address);
  try {
    connection.send(octets);
    const answer = await connection.receive();
    if (answer === undefined) throw new Error('The connection was closed without an answer.');
    return answer;
  } finally {
    connection.close();
  }
}

export interface SendOptions {
  readonly key?: TsigSecret | undefined;
  readonly isTcp?: boolean;
  /** Seconds by which the clock of the client is wrong. */
  readonly clockOff?: number;
  readonly fudge?: number;
}

/** Sends an UPDATE, and reads its answer. */
export async function sendUpdate(
  address: Address,
  update: SentUpdate,
  { key, isTcp, clockOff = 0, fudge }: SendOptions,
): Promise<UpdateAnswer> {
  const plain = updateOctets(update);
  if (key === undefined) return readUpdateAnswer(await sendOctets(address, plain, isTcp));
  const time = now() + clockOff;
  const { message, mac } = signMessage(plain, key, { time, ...(fudge === undefined ? {} : { fudge }) });
  return readUpdateAnswer(await sendOctets(address, message, isTcp), { key, mac, time });
}

/** A service that takes updates, with a zone and a key for it. */
export interface UpdateWorld {
  readonly service: TestService;
  readonly address: Address;
  readonly tenant: Tenant;
  readonly zone: TestZone;
  readonly key: TsigSecret;
  readonly keyId: string;
  /** Makes a key of the zone, or of another resource. */
  makeKey(
    permissions: object | undefined,
    more?: object,
  ): Promise<{ readonly id: string; readonly key: TsigSecret }>;
  /** Sends an UPDATE of the zone, signed with its key. */
  send(update: Partial<SentUpdate>, options?: SendOptions): Promise<UpdateAnswer>;
  /** The recordsets of the zone but SOA and NS at the apex: name, type, TTL and records. */
  contents(): Promise<Readonly<Record<string, readonly [number | null, readonly string[]]>>>;
  serial(): Promise<number>;
}

const SECRET = randomBytes(32).toString('base64');
let keysMade = 0;

export async function updateWorld(environment: Readonly<Record<string, string>> = {}): Promise<UpdateWorld> {
  const address = { host: '127.0.0.1', port: await freePort() };
  const listen = { ZONEWARDEN_SERVICE_MDNS__LISTEN: `${address.host}:${address.port}` };
  const service = await startTestService({ ...listen, ...environment });
  const tenant = await tenantOf(service, 'shop');
  const zone = await tenant.makeZone('shop.example.');

  async function makeKey(permissions: object | undefined, more: object = {}) {
    keysMade += 1;
    const name = `key-${keysMade}`;
    const body = { name, algorithm: 'hmac-sha256', secret: SECRET, scope: 'ZONE', resource_id: zone.id };
    const { status, json, text } = await service.request('POST', '/v2/tsigkeys', {
      token: service.admin,
      body: { ...body, ...(permissions && { permissions }), ...more },
    });
    if (status !== 201) throw new Error(text);
    const secret = Buffer.from(SECRET, 'base64');
    return {
      id: json.id as string,
      key: { name: `${json.name}.`, algorithm: 'hmac-sha256', secret } as const,
    };
  }

  const made = await makeKey({ update: {} });
  const { id: keyId, key } = made;
  return {
    service,
    address,
    tenant,
    zone,
    key,
    keyId,
    makeKey,
    send: (update, options = {}) => sendUpdate(address, { zone: zone.name, ...update }, { key, ...options }),
    async contents() {
      const { json } = await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?limit=1000`);
      const listed: { name: string; type: string; ttl: number | null; records: string[] }[] = json.recordsets;
      const own = listed.filter(({ type, name }) => type !== 'SOA' && !(type === 'NS' && name === zone.name));
      return Object.fromEntries(
        own.map(({ name, type, ttl, records }) => [`${name} ${type}`, [ttl, records] as const]),
      );
    },
    serial: async () => (await tenant.look(zone)).serial,
  };
}

/** Sends copies of one message at once, by TCP where that is true, else by UDP. */
export function sendCopies(
  address: Address,
  update: SentUpdate,
  key: TsigSecret,
  copies: readonly boolean[],
): Promise<readonly UpdateAnswer[]> {
  const time = now();
  const { message, mac } = signMessage(updateOctets(update), key, { time });
  const send = async (isTcp: boolean) =>
    readUpdateAnswer(await sendOctets(address, message, isTcp), { key, mac, time });
  return Promise.all(copies.map(send));
}

/** A message that can be sent again and again: returns what sends it, and returns its RCODE. */
export function repeatable({ zone, key, address: own }: UpdateWorld, update: Partial<SentUpdate>) {
  const time = now();
  const { message, mac } = signMessage(updateOctets({ zone: zone.name, ...update }), key, { time });
  return async (address: Address = own, isTcp = false): Promise<number> =>
    readUpdateAnswer(await sendOctets(address, message, isTcp), { key, mac, time }).rcode;
}
