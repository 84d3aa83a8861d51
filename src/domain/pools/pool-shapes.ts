/** The parts of a pool in requests and files. */
import { isIP } from 'node:net';
import { parseListedName, parseZoneName } from '../../dns/names.ts';
import type { Parsed } from '../../dns/parsed.ts';
import type { NsRecord } from '../../model/pools/pool.ts';
import { isProjectId, PROJECT_ID_RULE } from '../../model/project-id.ts';
import { descriptionFault, textFault } from '../../model/text.ts';
import {
  dictionary,
  distinct,
  integer,
  nullable,
  object,
  parsed,
  refined,
  type Shape,
  text,
} from '../shapes/shape.ts';
import { attributesFault } from '../zones/attributes.ts';

const MAX_NS_RECORDS = 100;
const HOST = 'Must be an IPv4 or IPv6 address, or a host name.';

/** One spelling for each address, so that no server is listed twice. */
function canonicalAddress(text: string): string {
  return isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
}

/** The host of a server: an IPv4 or IPv6 address, or a host name without its final dot. */
export function parseHost(text: string): Parsed<string> {
  if (isIP(text) !== 0 && !text.includes('%')) return { ok: true, value: canonicalAddress(text) };
  const name = parseListedName(text);
  if (!name.ok) return { ok: false, reason: `${HOST} ${name.reason}` };
  const value = name.value.slice(0, -1);
  // A top-level domain has letters (RFC 3696, section 2): anything else is a mistyped address.
  return /(^|\.)\d+$/.test(value) ? { ok: false, reason: HOST } : { ok: true, value };
}

export const poolName = text((given) => textFault(given, { min: 1, max: 255 }), {
  minLength: 1,
  maxLength: 255,
  examples: ['default'],
});
export const poolDescription = nullable(text(descriptionFault, { maxLength: 1024 }));
export const poolAttributes = dictionary(
  text((value) => textFault(value, { max: 255 }), { maxLength: 255 }),
  attributesFault,
);

export const poolProject: Shape<string | null> = nullable(
  text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE), { minLength: 1, maxLength: 64 }),
);

const nsRecord = object(
  {
    hostname: parsed(parseZoneName, {
      description: 'A host name with its final dot.',
      examples: ['ns1.example.net.'],
    }),
    priority: integer({ minimum: 0, maximum: 65_535 }),
  },
  {},
);

function byPriority(one: NsRecord, other: NsRecord): number {
  return one.priority - other.priority || (one.hostname < other.hostname ? -1 : 1);
}

const nsRecords = distinct<NsRecord>(nsRecord, ({ hostname }) => hostname, {
  minItems: 1,
  maxItems: MAX_NS_RECORDS,
});

/** The NS records of a pool, sorted by priority and name. */
export const poolNsRecords: Shape<readonly NsRecord[]> = refined(
  { ...nsRecords, schema: { ...nsRecords.schema, description: 'Each has a `hostname` and a `priority`.' } },
  (records) => records.toSorted(byPriority),
);
