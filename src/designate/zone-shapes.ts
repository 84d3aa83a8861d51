/** The zones of a Designate, with their recordsets and shares. */
import { type Fqdn, parseZoneName } from '../dns/names.ts';
import { parseOwnerName } from '../dns/owner-name.ts';
import { RECORD_TYPES } from '../dns/record-types.ts';
import type {
  SourcePrimary,
  SourceRecordset,
  SourceSecondary,
  SourceShare,
  SourceZone,
} from '../domain/adoption/source.ts';
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
  refined,
  type Shape,
  text,
} from '../domain/shapes/shape.ts';
import { attributesFault } from '../domain/zones/attributes.ts';
import { isProjectId, PROJECT_ID_RULE } from '../model/project-id.ts';
import { descriptionFault, storableFault, textFault } from '../model/text.ts';
import { emailFault } from '../model/zones/email.ts';
import { id, keptOf, type Life, life, time } from './life.ts';

const TYPES = 'The type is neither PRIMARY nor SECONDARY.';
const MAX_SERIAL = 2 ** 32 - 1;
const MAX_VERSION = 2 ** 31 - 1;

export const projectId = text((given) => (isProjectId(given) ? undefined : PROJECT_ID_RULE));
export const description = nullable(text(descriptionFault));
export const zoneName = parsed(parseZoneName);
const ttl = integer({ minimum: 0, maximum: 2147483647 });
const version = integer({ minimum: 0, maximum: MAX_VERSION });
const action = text(storableFault);

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
      serial: integer({ minimum: 0, maximum: MAX_SERIAL }),
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

/** A secondary zone takes its email, TTL and serial from its masters. */
const secondaryShape: Shape<SourceSecondary> = refined(
  object(
    { ...zoneKeys, type: choice(['SECONDARY'], TYPES), masters: list(text(storableFault)) },
    ownZoneKeys,
  ),
  ({ type, masters, ...given }) => ({ ...headOf(given), type, masters }),
);

/** The keys of a zone depend on its type. */
export function zoneShapeFor(given: unknown): Shape<SourceZone> {
  return isObject(given) && given.type === 'SECONDARY' ? secondaryShape : primaryShape;
}

export const recordsetShape: Shape<SourceRecordset> = refined(
  object(
    {
      ...life,
      name: parsed(parseOwnerName),
      project_id: projectId,
      type: choice([...RECORD_TYPES, 'SOA'], 'Recordsets of this type cannot be imported.'),
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
