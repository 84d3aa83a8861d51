import type { Route } from '../../src/http/edge/route.ts';
import type { Things } from './everything.ts';

let names = 0;

/** A body that the operation takes; one that is not listed takes an empty object. */
export function bodyOf({ method, path }: Route, { params, zoneName, transferKey, number }: Things): unknown {
  const servers = [{ hostname: 'ns1.example.org.', priority: 1 }];
  const fresh = `fresh-${++names}`;
  const bodies: Readonly<Record<string, unknown>> = {
    'POST /v2/blacklists': { pattern: `^${fresh}\\.$` },
    'POST /v2/zones': { name: `${fresh}.example.`, email: 'a@example.org' },
    'POST /v2/zones/{zone_id}/shares': { target_project_id: fresh },
    'POST /v2/zones/{zone_id}/recordsets': {
      name: `${fresh}.${zoneName}`,
      type: 'A',
      records: ['192.0.2.1'],
    },
    'POST /v2/zones/{zone_id}/changes': { changes: [] },
    'PUT /v2/zones/{zone_id}/contents': { recordsets: [] },
    'POST /v2/zones/{zone_id}/restore': { at: '2999-01-01T00:00:00.000000' },
    'POST /v2/zones/tasks/imports': `$ORIGIN ${fresh}.example.\n@ 3600 IN SOA ns1.invalid. a.example.org. 1 3600 600 86400 3600\n`,
    'POST /v2/zones/tasks/transfer_accepts': {
      zone_transfer_request_id: params.zone_transfer_request_id,
      key: transferKey,
    },
    'POST /v2/pools': { name: fresh, ns_records: servers },
    'POST /v2/tlds': { name: fresh },
    'POST /v2/tokens': { project_id: fresh, roles: ['reader'] },
    'POST /v2/tsigkeys': {
      name: `${fresh}-${number}`,
      algorithm: 'hmac-sha256',
      secret: 'c2VjcmV0c2VjcmV0c2VjcmV0',
      scope: 'POOL',
      resource_id: params.pool_id,
    },
  };
  return bodies[`${method} ${path}`] ?? (method === 'GET' || method === 'DELETE' ? undefined : {});
}

/** A query that the operation needs; '' for none. */
export function queryOf({ method, path }: Route, { zoneName, params: { serial } }: Things): string {
  const queries: Readonly<Record<string, string>> = {
    'GET /v2/zones/{zone_id}/contents': '?at=2999-01-01',
    'GET /v2/zones/{zone_id}/diff': `?from=${serial}&to=${serial}`,
    'GET /nic/update': `?hostname=fresh-${++names}.${zoneName}&myip=192.0.2.1`,
  };
  return queries[`${method} ${path}`] ?? '';
}

/** Whether the operation takes something away, so that it can be done once. */
export const isOnce = ({ method, path }: Route) =>
  method === 'DELETE' || (method === 'POST' && /\/tasks\/|^\/v2\/deleted_zones\//.test(path));

/** What the path, the query and the body of a request name; in whatever is in a zone, sharees take part. */
export function parametersOf({ method, path }: Route): readonly string[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const others: Readonly<Record<string, readonly string[]>> = {
    'POST /v2/zones/tasks/transfer_accepts': ['zone_transfer_request_id'],
    'POST /v2/tsigkeys': ['pool_id'],
    'GET /v2/zones/{zone_id}/diff': ['serial'],
    'GET /nic/update': ['zone_share_id', 'zone_id'],
  };
  const ofZone = inPath.includes('zone_id') ? ['zone_share_id'] : [];
  const ofRecordset = inPath.includes('recordset_id') ? ['other_recordset_id'] : [];
  return [...ofZone, ...ofRecordset, ...inPath, ...(others[`${method} ${path}`] ?? [])];
}
