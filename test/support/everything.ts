import { endedPreview, importList } from './blacklist-tasks.ts';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

export const OWNER = 'matrix-owner';
export const SHAREE = 'matrix-sharee';
export const STRANGER = 'matrix-stranger';

/** One of each thing that a path can name, by the parameter that names it; and what bodies need. */
export interface Everything {
  readonly params: Readonly<Record<string, string>>;
  readonly zoneName: string;
  readonly transferKey: string;
  readonly number: number;
}

let made = 0;

/**
 * Makes one of each thing: a zone of the owner that is shared with the sharee, with a recordset of each, an open transfer
 * request for anybody, tasks, and what administrators have. A TLD `example` has to be stored before.
 */
export async function makeEverything(
  service: TestService,
  tokens: { readonly owner: string; readonly sharee: string },
): Promise<Everything> {
  const number = ++made;
  const ask = async (token: string, method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await service.request(method, path, { token, body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const post = (path: string, body?: unknown, token = tokens.owner, headers = {}) =>
    ask(token, 'POST', path, body, headers);
  const zoneName = `matrix-${number}.example.`;
  const zone = await post('/v2/zones', { name: zoneName, email: 'a@example.org' });
  const path = `/v2/zones/${zone.id}`;
  const recordset = (name: string) => ({ name: `${name}.${zoneName}`, type: 'A', records: ['192.0.2.1'] });
  const share = await post(`${path}/shares`, { target_project_id: SHAREE });
  const own = await post(`${path}/recordsets`, recordset('own'));
  const other = await post(`${path}/recordsets`, recordset('other'), tokens.sharee);
  const used = await post(`${path}/tasks/transfer_requests`, {});
  const taken = { zone_transfer_request_id: used.id, key: used.key };
  const accept = await post('/v2/zones/tasks/transfer_accepts', taken);
  const request = await post(`${path}/tasks/transfer_requests`, {});
  const file = `$ORIGIN file-${number}.example.\n@ 3600 IN SOA ns1.invalid. a.example.org. 1 3600 600 86400 3600\n`;
  const type = { 'content-type': 'text/dns' };
  const zoneImport = await post('/v2/zones/tasks/imports', file, tokens.owner, type);
  const zoneExport = await post(`${path}/tasks/export`);
  const { admin } = service;
  const blacklist = await post('/v2/blacklists', { pattern: `^never-${number}\\.$` }, admin);
  const list = `list-${number}`;
  const listed = await importList(service, list, `^listed-${number}\\.$`);
  const preview = await endedPreview(service, OWNER, blacklist.id);
  const tld = await post('/v2/tlds', { name: `tld-${number}` }, admin);
  const servers = [{ hostname: 'ns1.example.org.', priority: 1 }];
  const pool = await post('/v2/pools', { name: `pool-${number}`, ns_records: servers }, admin);
  const secret = { algorithm: 'hmac-sha256', secret: 'c2VjcmV0c2VjcmV0c2VjcmV0', scope: 'POOL' };
  const tsigkey = await post(
    '/v2/tsigkeys',
    { name: `key-${number}`, ...secret, resource_id: pool.id },
    admin,
  );
  const event = await eventually(async () => {
    const { events } = await ask(tokens.owner, 'GET', `/v2/events?target_id=${zone.id}&type=zone.created`);
    return events[0];
  });
  const token = await post('/v2/tokens', { project_id: `tokens-${number}`, roles: ['reader'] }, admin);
  const statuses = await ask(admin, 'GET', '/v2/service_statuses');
  return {
    params: {
      zone_id: zone.id,
      recordset_id: own.id,
      other_recordset_id: other.id,
      zone_share_id: share.id,
      zone_transfer_request_id: request.id,
      zone_transfer_accept_id: accept.id,
      zone_import_id: zoneImport.id,
      zone_export_id: zoneExport.id,
      blacklist_id: blacklist.id,
      list_name: list,
      import_id: listed,
      preview_id: preview,
      tld_id: tld.id,
      pool_id: pool.id,
      tsigkey_id: tsigkey.id,
      event_id: event.id,
      token_id: token.id,
      service_id: statuses.service_statuses[0].id,
      tenant_id: OWNER,
      project_id: OWNER,
    },
    zoneName,
    transferKey: request.key,
    number,
  };
}
