/** The fields of a resource that an event contains, by their API names. */
import type { Blacklist } from '../blacklists/blacklist.ts';
import { exceptionShown } from '../blacklists/exception-json.ts';
import { fieldsOf } from '../events/event-serializer.ts';
import type { EventFields } from '../events/stored-event.ts';
import type { Pool } from '../pools/pool.ts';
import type { ApiToken } from '../tokens/api-token.ts';
import type { TransferRequest } from '../transfers/transfer.ts';
import type { TsigKeyWithoutSecret } from '../tsig-keys/tsig-key.ts';
import type { Zone } from '../zones/zone.ts';

export function blacklistFields(blacklist: Blacklist): EventFields {
  return { ...fieldsOf(blacklist), exceptions: blacklist.exceptions.map(exceptionShown) };
}

export function zoneFields(zone: Zone): EventFields {
  return {
    name: zone.name,
    project_id: zone.projectId,
    pool_id: zone.pool.id,
    type: zone.type,
    email: zone.email,
    ttl: zone.ttl,
    serial: zone.serial,
    description: zone.description,
    attributes: zone.attributes,
    masters: zone.masters,
    ...(zone.soa && { soa: zone.soa }),
    recordsets: zone.recordsets,
    records: zone.records,
  };
}

export function poolFields(pool: Pool): EventFields {
  const { catalogZone: catalog } = pool;
  const { fqdn, refresh, tsigKey } = catalog ?? {};
  return {
    ...fieldsOf(pool),
    catalog_zone: catalog === null ? null : { fqdn, refresh, tsig_key: tsigKey },
  };
}

/** Listed one by one, so that a secret is never included. */
export function tsigKeyFields({ name, algorithm, scope, resourceId }: TsigKeyWithoutSecret): EventFields {
  return { name, algorithm, scope, resource_id: resourceId };
}

/** Fields of an API token, without its hash. */
export function tokenFields(token: Omit<ApiToken, 'hash'>): EventFields {
  const { projectId, userId, roles, expiresAt, description } = token;
  const always = { project_id: projectId, user_id: userId, roles, expires_at: expiresAt };
  return description === null ? always : { ...always, description };
}

/** Fields of a transfer request, without its key. */
export function requestFields(request: Omit<TransferRequest, 'key'>): EventFields {
  const { zoneId, zoneName, targetProjectId, description, status } = request;
  return {
    zone_id: zoneId,
    zone_name: zoneName,
    target_project_id: targetProjectId,
    description,
    status,
  };
}
