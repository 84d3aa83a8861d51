/** What a Designate answers, read into what the domain takes. Keys that are not listed are left alone. */
import { type Fqdn, parseZoneName } from '../dns/names.ts';
import { parseOwnerName } from '../dns/owner-name.ts';
import { RECORD_TYPES } from '../dns/rdata.ts';
import type {
  Given,
  SourceBlacklist,
  SourcePool,
  SourcePrimary,
  SourceRecordset,
  SourceSecondary,
  SourceShare,
  SourceTld,
  SourceTransferRequest,
  SourceTsigKey,
  SourceZone,
} from '../domain/adoption/source.ts';
import { DomainError } from '../domain/errors.ts';
import { poolAttributes, poolDescription, poolName, poolNsRecords } from '../domain/pools/pool-shapes.ts';
import { isProjectId, PROJECT_ID_RULE } from '../domain/project-id.ts';
import { GREATEST_LIMIT, type QuotaChanges, UNLIMITED } from '../domain/quotas/quota.ts';
import {
  choice,
  dictionary,
  flag,
  integer,
  isObject,
  list,
  nullable,
  object,
  parsed,
  readAs,
  refined,
  type Shape,
  text,
} from '../domain/shapes/shape.ts';
import { descriptionFault, storableFault, textFault } from '../domain/text.ts';
import { parseListedTld } from '../domain/tlds/tld.ts';
import {
  MAX_SECRET_LENGTH,
  parseTsigKeyName,
  secretFault,
  TSIG_ALGORITHMS,
  TSIG_SCOPES,
} from '../domain/tsig-keys/tsig-key.ts';
import { attributesFault } from '../domain/zones/attributes.ts';
import { emailFault } from '../domain/zones/email.ts';
import { id, keptOf, type Life, life, time } from './life.ts';

const TYPES = 'The type is neither PRIMARY nor SECONDARY.';
const GREATEST_SERIAL = 2 ** 32 - 1;
const GREATEST_VERSION = 2 ** 31 - 1;

const projectId = text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE));
const description = nullable(text(descriptionFault));
const zoneName = parsed(parseZoneName);
const ttl = integer({ minimum: 0, maximum: 2147483647 });
const version = integer({ minimum: 0, maximum: GREATEST_VERSION });
const action = text(storableFault);
const limit = integer({ minimum: UNLIMITED, maximum: GREATEST_LIMIT });

export const poolShape: Shape<SourcePool> = refined(
  object(
    { ...life, name: poolName, description: poolDescription, ns_records: poolNsRecords },
    { attributes: poolAttributes, project_id: nullable(projectId) },
  ),
  (given) => ({
    ...keptOf(given),
    name: given.name,
    description: given.description,
    projectId: given.project_id ?? null,
    attributes: given.attributes ?? {},
    nsRecords: given.ns_records,
  }),
);

export const tsigKeyShape: Shape<SourceTsigKey> = refined(
  object(
    {
      ...life,
      name: parsed(parseTsigKeyName),
      algorithm: choice(TSIG_ALGORITHMS, `The algorithm is none of: ${TSIG_ALGORITHMS.join(', ')}.`),
      secret: text(secretFault, { maxLength: MAX_SECRET_LENGTH }),
      scope: choice(TSIG_SCOPES, `The scope is none of: ${TSIG_SCOPES.join(', ')}.`),
      resource_id: id,
    },
    {},
  ),
  ({ name, algorithm, secret, scope, resource_id: resourceId, ...given }) => ({
    ...keptOf(given),
    name,
    algorithm,
    secret,
    scope,
    resourceId,
  }),
);

const zoneKeys = { ...life, name: zoneName, project_id: projectId, pool_id: id, action, version };
const ownZoneKeys = {
  description,
  shared: flag,
  attributes: dictionary(
    text((given) => textFault(given, { max: 255 })),
    attributesFault,
  ),
};

interface ZoneHead extends Life {
  readonly name: Fqdn;
  readonly project_id: string;
  readonly pool_id: string;
  readonly action: string;
  readonly version: number;
  readonly description?: string | null;
  readonly shared?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
}

function headOf(given: ZoneHead) {
  return {
    ...keptOf(given),
    name: given.name,
    projectId: given.project_id,
    poolId: given.pool_id,
    isLeaving: given.action === 'DELETE',
    mayBeShared: given.shared !== undefined,
    version: given.version,
    description: given.description ?? null,
    attributes: given.attributes ?? {},
  };
}

const primaryShape: Shape<SourcePrimary> = refined(
  object(
    {
      ...zoneKeys,
      type: choice(['PRIMARY'], TYPES),
      email: text(emailFault),
      ttl,
      serial: integer({ minimum: 0, maximum: GREATEST_SERIAL }),
    },
    { ...ownZoneKeys, transferred_at: time },
  ),
  ({ type, email, ttl, serial, transferred_at: transferredAt = null, ...given }) => ({
    ...headOf(given),
    type,
    email,
    ttl,
    serial,
    transferredAt,
  }),
);

/** Its e-mail, TTL and serial are those of its masters. */
const secondaryShape: Shape<SourceSecondary> = refined(
  object(
    { ...zoneKeys, type: choice(['SECONDARY'], TYPES), masters: list(text(storableFault)) },
    ownZoneKeys,
  ),
  ({ type, masters, ...given }) => ({ ...headOf(given), type, masters }),
);

/** What a zone of either type has follows from its type. */
export function zoneShapeFor(given: unknown): Shape<SourceZone> {
  return isObject(given) && given.type === 'SECONDARY' ? secondaryShape : primaryShape;
}

export const recordsetShape: Shape<SourceRecordset> = refined(
  object(
    {
      ...life,
      name: parsed(parseOwnerName),
      project_id: projectId,
      type: choice([...RECORD_TYPES, 'SOA'], 'Recordsets of this type cannot be taken.'),
      records: list(text(storableFault)),
      ttl: nullable(ttl),
      action,
      version,
    },
    { description },
  ),
  ({ name, type, records, ttl, action, version, project_id, description = null, ...given }) => ({
    ...keptOf(given),
    name,
    type,
    records,
    projectId: project_id,
    ttl,
    version,
    description,
    isLeaving: action === 'DELETE',
  }),
);

export const shareShape: Shape<SourceShare> = refined(
  object({ ...life, target_project_id: projectId }, {}),
  ({ target_project_id: targetProjectId, ...given }) => ({ ...keptOf(given), targetProjectId }),
);

export const transferRequestShape: Shape<SourceTransferRequest> = refined(
  object(
    {
      ...life,
      zone_id: id,
      zone_name: zoneName,
      target_project_id: nullable(projectId),
      key: text((given) => textFault(given, { min: 1, max: 255 })),
      status: choice(['ACTIVE', 'COMPLETE', 'ERROR'], 'The status is none of a transfer request.'),
    },
    { description },
  ),
  ({ zone_id, zone_name, target_project_id, key, status, description = null, ...given }) => ({
    ...keptOf(given),
    zoneId: zone_id,
    zoneName: zone_name,
    targetProjectId: target_project_id,
    key,
    status,
    description,
  }),
);

export const tldShape: Shape<SourceTld> = refined(
  object({ ...life, name: parsed(parseListedTld) }, { description }),
  ({ name, description = null, ...given }) => ({ ...keptOf(given), name, description }),
);

/** Whether the pattern is valid, the use case asks that stores it. */
export const blacklistShape: Shape<SourceBlacklist> = refined(
  object({ ...life, pattern: text(storableFault) }, { description }),
  ({ pattern, description = null, ...given }) => ({ ...keptOf(given), pattern, description }),
);

export const quotasShape: Shape<QuotaChanges> = object(
  {},
  {
    zones: limit,
    zone_recordsets: limit,
    zone_records: limit,
    recordset_records: limit,
    api_export_size: limit,
  },
);

function textIn(given: unknown, ...keys: readonly string[]): string | null {
  if (!isObject(given)) return null;
  const found = keys.map((key) => given[key]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found.slice(0, 300) : null;
}

/** The keys of a shape; those that newer versions add are left out. */
function knownOf(shape: Shape<NonNullable<unknown>>, given: unknown): unknown {
  if (!isObject(given)) return given;
  const known = Object.keys(shape.schema.properties ?? {});
  return Object.fromEntries(known.filter((key) => Object.hasOwn(given, key)).map((key) => [key, given[key]]));
}

/** One entry of an answer, or why it cannot be taken. */
export function readGiven<T extends NonNullable<unknown>>(shape: Shape<T>, given: unknown): Given<T> {
  try {
    return { ok: true, value: readAs(shape, knownOf(shape, given)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const name = textIn(given, 'name', 'pattern', 'zone_name');
    return { ok: false, id: textIn(given, 'id'), name, reason: error.message };
  }
}
