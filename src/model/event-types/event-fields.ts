/** The fields of a resource that an event contains, by their API names. */
import type { Blacklist } from '../blacklists/blacklist.ts';
import { exceptionShown } from '../blacklists/exception-json.ts';
import type { DeletedZone } from '../deleted-zones/deleted-zone.ts';
import { fieldsOf } from '../events/event-serializer.ts';
import type { EventFields } from '../events/stored-event.ts';
import type { Pool } from '../pools/pool.ts';
import { protectionFields } from '../protection/protection.ts';
import type { Share } from '../shares/share.ts';
import type { ApiToken } from '../tokens/api-token.ts';
import type { TransferRequest } from '../transfers/transfer.ts';
import type { TsigKeyWithoutSecret } from '../tsig-keys/tsig-key.ts';
import type { Zone } from '../zones/zone.ts';

export function blacklistFields(blacklist: Blacklist): EventFields {
  return { ...fieldsOf(blacklist), exceptions: blacklist.exceptions.map(exceptionShown) };
}

export function deletedZoneFields(zone: DeletedZone): EventFields {
  const { name, projectId, type, serial, recordsets, deletedAt } = zone;
  return { name, project_id: projectId, type, serial, recordsets, deleted_at: deletedAt };
}

/** @param other the zone on the other side of a change */
export function zoneFields(zone: Zone, other: Zone | undefined): EventFields {
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
    ...protectionFields(zone.protection, other?.protection ?? null),
    recordsets: zone.recordsets,
    records: zone.records,
  };
}

export function poolFields(pool: Pool): EventFields {
  const { catalogZone: catalog } = pool;
  const { fqdn, refresh, tsigKey } = catalog ?? {};
  return {
    ...fieldsOf(pool),
    nameservers: pool.nameservers.map(({ host, port, tsigKey: key }) => ({
      host,
      port,
      ...(key === undefined ? {} : { tsig_key: key }),
    })),
    catalog_zone: catalog === null ? null : { fqdn, refresh, tsig_key: tsigKey },
  };
}

/** Listed one by one, so that a secret is never included. */
export function tsigKeyFields(key: TsigKeyWithoutSecret): EventFields {
  const { name, algorithm, scope, resourceId, permissions } = key;
  const always = { name, algorithm, scope, resource_id: resourceId };
  return permissions === undefined ? always : { ...always, permissions };
}

/** Fields of an API token, without its hash. */
export function tokenFields(token: Omit<ApiToken, 'hash'>): EventFields {
  const { projectId, userId, roles, expiresAt, description, scope, maxUnused, ancestors } = token;
  const createdBy = ancestors.at(-1);
  const always = { project_id: projectId, user_id: userId, roles, expires_at: expiresAt };
  return {
    ...always,
    ...(description === null ? {} : { description }),
    ...(scope === null ? {} : { scope }),
    ...(maxUnused === null ? {} : { max_unused_seconds: maxUnused }),
    ...(createdBy === undefined ? {} : { created_by: createdBy }),
  };
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

export function shareFields({ scope, ...share }: Share): EventFields {
  return { ...fieldsOf(share), ...(scope === undefined ? {} : { scope }) };
}
