/** Reads Designate's answers into the domain's types. Unlisted keys are ignored. */
import type {
  Given,
  SourceBlacklist,
  SourcePool,
  SourceTld,
  SourceTransferRequest,
  SourceTsigKey,
} from '../domain/adoption/source.ts';
import { poolAttributes, poolDescription, poolName, poolNsRecords } from '../domain/pools/pool-shapes.ts';
import {
  choice,
  integer,
  isObject,
  nullable,
  object,
  parsed,
  readAs,
  refined,
  type Shape,
  text,
} from '../domain/shapes/shape.ts';
import { DomainError } from '../model/errors.ts';
import { MAX_LIMIT, type QuotaChanges, UNLIMITED } from '../model/quotas/quota.ts';
import { storableFault, textFault } from '../model/text.ts';
import { parseListedTld } from '../model/tlds/tld.ts';
import {
  MAX_SECRET_LENGTH,
  parseSpelledKeyName,
  secretFault,
  TSIG_ALGORITHMS,
  TSIG_SCOPES,
} from '../model/tsig-keys/tsig-key.ts';
import { id, keptOf, life } from './life.ts';
import { description, projectId, zoneName } from './zone-shapes.ts';

const limit = integer({ minimum: UNLIMITED, maximum: MAX_LIMIT });

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
      name: parsed(parseSpelledKeyName),
      algorithm: choice(TSIG_ALGORITHMS, `The algorithm is not one of: ${TSIG_ALGORITHMS.join(', ')}.`),
      secret: text(secretFault, { maxLength: MAX_SECRET_LENGTH }),
      scope: choice(TSIG_SCOPES, `The scope is not one of: ${TSIG_SCOPES.join(', ')}.`),
      resource_id: id,
    },
    {},
  ),
  ({ name: { name, spelling }, algorithm, secret, scope, resource_id: resourceId, ...given }) => ({
    ...keptOf(given),
    name,
    spelling,
    algorithm,
    secret,
    scope,
    resourceId,
  }),
);

export const transferRequestShape: Shape<SourceTransferRequest> = refined(
  object(
    {
      ...life,
      zone_id: id,
      zone_name: zoneName,
      target_project_id: nullable(projectId),
      key: text((given) => textFault(given, { min: 1, max: 255 })),
      status: choice(['ACTIVE', 'COMPLETE', 'ERROR'], 'A transfer request cannot have this status.'),
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

/** The use case that stores a blacklist validates its pattern. */
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

/** Keeps the keys of a shape and drops those that newer versions add. */
function knownOf(shape: Shape<NonNullable<unknown>>, given: unknown): unknown {
  if (!isObject(given)) return given;
  const known = Object.keys(shape.schema.properties ?? {});
  return Object.fromEntries(known.filter((key) => Object.hasOwn(given, key)).map((key) => [key, given[key]]));
}

/** Reads one entry of an answer, or explains why it cannot be read. */
export function readGiven<T extends NonNullable<unknown>>(shape: Shape<T>, given: unknown): Given<T> {
  try {
    return { ok: true, value: readAs(shape, knownOf(shape, given)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const name = textIn(given, 'name', 'pattern', 'zone_name');
    return { ok: false, id: textIn(given, 'id'), name, reason: error.message };
  }
}
