/** Draws sets of changes. Names and records are few, so that many meet. */
import type { Change } from '../../test/support/change-sets.ts';
import type { Random } from '../../test/support/random.ts';

/** In names and records, `@` is the zone. */
const NAMES = [
  '@',
  'a.@',
  'b.@',
  'B.@',
  '*.@',
  'x.a.@',
  '*.b.@',
  'sub.@',
  'x.sub.@',
  'y.sub.@',
  'd\\.ot.@',
  '_s._tcp.@',
];
/** Not that of the zone: new contents leave a recordset alone that has it anyway. */
const TTLS = [null, 60, 300, 7200];
const DESCRIPTIONS = [null, 'one', 'two'];
const RECORDS: Readonly<Record<string, readonly string[]>> = {
  A: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
  AAAA: ['2001:db8::1', '2001:DB8::1', '2001:db8:0::2', '::ffff:192.0.2.1'],
  TXT: [
    '"x"',
    'x',
    '"x y" "z"',
    '"\\"quoted\\""',
    '"v=spf1 -all"',
    '"\\195\\188"',
    '""',
    `"${'t'.repeat(255)}"`,
  ],
  MX: ['10 a.@', '10 A.@', '20 mail.example.org.', '0 .'],
  CNAME: ['a.@', 'target.example.org.', 'TARGET.example.org.'],
  DNAME: ['target.example.org.', 'other.example.org.'],
  NS: ['ns.example.org.', 'x.sub.@', 'y.sub.@'],
  SRV: ['0 0 5060 a.@', '1 2 443 web.example.org.'],
  CAA: ['0 issue "ca.example.org"', '128 issuewild ";"'],
  HTTPS: ['1 . alpn=h2', '0 web.example.org.'],
  PTR: ['a.@', 'b.example.org.'],
  TYPE65280: ['\\# 2 0a0b', '\\# 0'],
};
const TYPES = ['A', 'A', 'A', 'A', 'TXT', 'TXT', ...Object.keys(RECORDS)];
const ACTIONS = [
  'create',
  'replace',
  'upsert',
  'upsert',
  'upsert',
  'delete',
  'delete',
  'add',
  'add',
  'remove',
] as const;

function drawRecords(random: Random, type: string): readonly string[] {
  const all = RECORDS[type]!;
  const isSingle = type === 'CNAME' || type === 'DNAME';
  const count = isSingle ? 1 : 1 + random.below(3);
  return [...new Set(Array.from({ length: count }, () => random.pick(all)))];
}

function drawChange(random: Random): Change {
  const action = random.pick(ACTIONS);
  const common = { action, name: random.pick(NAMES) };
  const type = random.pick(TYPES);
  if (action === 'delete') return random.chance(0.3) ? common : { ...common, type };
  const records = drawRecords(random, type);
  const isWhole = action === 'create' || action === 'upsert' || action === 'replace';
  return {
    ...common,
    type,
    records,
    ...(action !== 'remove' && random.chance(0.4) && { ttl: random.pick(TTLS) }),
    ...(isWhole && random.chance(0.3) && { description: random.pick(DESCRIPTIONS) }),
  };
}

/** Changes of a zone called `@`. */
export function drawSet(random: Random): readonly Change[] {
  return Array.from({ length: 1 + random.below(6) }, () => drawChange(random));
}

/** A set of which most are made: each recordset is changed once, by what needs nothing of it. */
export function drawLikelySet(random: Random): readonly Change[] {
  const changes = new Map<string, Change>();
  for (let left = 1 + random.below(5); left > 0; left--) {
    const change = drawChange(random);
    const { name, type = 'A', records = drawRecords(random, type) } = change;
    const isRemoval = random.chance(0.3);
    const own = isRemoval
      ? { action: 'remove', name, type, records }
      : { ...change, action: 'upsert', type, records };
    changes.set(`${name.toLowerCase()} ${type}`, own);
  }
  return [...changes.values()];
}

export function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

export function within<T>(changes: T, zoneName: string): T {
  return JSON.parse(JSON.stringify(changes).replaceAll('@', zoneName));
}
