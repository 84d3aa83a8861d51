/** Zones as clients write them by the API: names and rdata in many spellings, TTLs, and timers of their own. */
import fc from 'fast-check';
import { encodeRdata, parseRdata } from '../../src/dns/parse-rdata.ts';
import { RECORD_TYPES, type RecordType, type StoredType } from '../../src/dns/record-types.ts';
import { RDATA } from './rdata-generators.ts';
import type { Answer } from './service.ts';
import type { Tenant } from './tenant.ts';

const TTLS = [0, 60, 3600, 2_147_483_647] as const;

/** Names below a zone, an empty one for the zone itself. */
const OWNERS = [
  '',
  '*',
  '*.deep',
  'WWW',
  'a.b.c',
  '_sip._udp',
  'My\\032Printer._ipp._tcp',
  'r\\038d\\(x\\)',
  'a\\@b',
  'a\\033b',
  'a\\"b\\;c\\$d',
  'back\\\\slash',
  '\\195\\188\\255',
  '\\042',
  'a/b+c',
  '0/25',
  'münchen',
  'xn--mnchen-3ya',
  'x'.repeat(63),
] as const;

const LONG_TEXTS = [
  'v=spf1 include:a.example ~all',
  `"${'x'.repeat(255)}" `.repeat(20).trim(),
  '"\\"\\\\\\000;("',
  '',
];

export interface WrittenRecordset {
  readonly owner: string;
  readonly type: RecordType;
  readonly ttl: number | null;
  readonly records: readonly string[];
}

export interface WrittenZone {
  readonly email: string;
  readonly ttl: number;
  readonly soa: Readonly<Record<string, number>> | null;
  readonly recordsets: readonly WrittenRecordset[];
}

/** The rdata of a text in the general form of RFC 3597. */
export function inGeneralForm(type: StoredType, text: string): string {
  const wire = Buffer.from(encodeRdata(type, text));
  return `\\# ${wire.length} ${wire.toString('hex')}`;
}

function rdataOf(type: RecordType): fc.Arbitrary<string> {
  const accepted = RDATA[type].filter((text) => parseRdata(type, text).ok);
  const general = accepted.map((text) => inGeneralForm(type, text));
  const long = type === 'TXT' ? [{ weight: 2, arbitrary: fc.constantFrom(...LONG_TEXTS) }] : [];
  return fc.oneof({ weight: 4, arbitrary: accepted }, { weight: 1, arbitrary: general }, ...long);
}

const recordset = fc.constantFrom(...RECORD_TYPES.filter((type) => type !== 'SOA')).chain((type) =>
  fc.record({
    owner: fc.constantFrom(...OWNERS),
    type: fc.constant(type),
    ttl: fc.constantFrom(null, ...TTLS),
    records: fc.array(rdataOf(type), { minLength: 1, maxLength: 3 }),
  }),
);

export const writtenZone: fc.Arbitrary<WrittenZone> = fc.record({
  email: fc.constantFrom('hostmaster@example.org', "First.o'Brien+dns@example.org"),
  ttl: fc.constantFrom(...TTLS),
  soa: fc.constantFrom(null, { refresh: 7200, retry: 900, expire: 2_419_200, minimum: 60 }),
  recordsets: fc.array(recordset, { minLength: 4, maxLength: 10 }),
});

/** What the API has taken of a written zone. */
export interface TakenZone {
  readonly id: string;
  readonly name: string;
  /** Whole names as they were sent. */
  readonly taken: readonly (Omit<WrittenRecordset, 'owner'> & { readonly name: string })[];
}

async function expectTaken(answer: Promise<Answer>): Promise<Answer['json']> {
  const { status, text, json } = await answer;
  if (status !== 202) throw new Error(text);
  return json;
}

/** Writes a zone by the API. Recordsets that it refuses, such as a CNAME beside others, are left out. */
export async function writeZone(tenant: Tenant, name: string, zone: WrittenZone): Promise<TakenZone> {
  const { email, ttl, soa, recordsets } = zone;
  const { id } = await expectTaken(tenant.ask('POST', '/v2/zones', { name, email, ttl }));
  if (soa !== null) await expectTaken(tenant.ask('PATCH', `/v2/zones/${id}`, { soa }));
  const taken = [];
  for (const { owner, ...rest } of recordsets) {
    const body = { name: owner === '' ? name : `${owner}.${name}`, ...rest };
    const { status } = await tenant.ask('POST', `/v2/zones/${id}/recordsets`, body);
    if (status === 202) taken.push(body);
  }
  return { id, name, taken };
}
