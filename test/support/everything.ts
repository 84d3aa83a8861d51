import { endedPreview, importList } from './blacklist-tasks.ts';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';

export const OWNER = 'matrix-owner';
export const SHAREE = 'matrix-sharee';
export const STRANGER = 'matrix-stranger';

/** What a path and a body name: the things that were asked for, by the parameter that names them. */
export interface Things {
  readonly params: Readonly<Record<string, string>>;
  readonly zoneName: string;
  readonly transferKey: string;
  readonly number: number;
}

type Tokens = { readonly owner: string; readonly sharee: string };
type Thing = Readonly<Record<string, string>>;

const IMPORTED = '@ 3600 IN SOA ns1.invalid. a.example.org. 1 3600 600 86400 3600\n';
const SERVERS = [{ hostname: 'ns1.example.org.', priority: 1 }];
const SECRET = { algorithm: 'hmac-sha256', secret: 'c2VjcmV0c2VjcmV0c2VjcmV0', scope: 'POOL' };

let made = 0;

/** What makes one thing each, and at most once: those that others need come first. A TLD `example` has to be stored before. */
function makers(service: TestService, tokens: Tokens, number: number, zoneName: string) {
  const ask = async (token: string, method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await service.request(method, path, { token, body, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const post = (path: string, body?: unknown, token = tokens.owner, headers = {}): Promise<Thing> =>
    ask(token, 'POST', path, body, headers);
  const once = <Made>(make: () => Promise<Made>) => {
    let thing: Promise<Made> | undefined;
    return () => {
      thing ??= make();
      return thing;
    };
  };
  const { admin } = service;
  const zone = once(() => post('/v2/zones', { name: zoneName, email: 'a@example.org' }));
  const share = once(async () =>
    post(`/v2/zones/${(await zone()).id}/shares`, { target_project_id: SHAREE }),
  );
  const recordset = async (name: string, token: string) => {
    const body = { name: `${name}.${zoneName}`, type: 'A', records: ['192.0.2.1'] };
    return post(`/v2/zones/${(await zone()).id}/recordsets`, body, token);
  };
  const request = async () => post(`/v2/zones/${(await zone()).id}/tasks/transfer_requests`, {});
  const accept = once(async () => {
    const used = await request();
    const taken = { zone_transfer_request_id: used.id, key: used.key };
    return post('/v2/zones/tasks/transfer_accepts', taken);
  });
  const blacklist = once(() => post('/v2/blacklists', { pattern: `^never-${number}\\.$` }, admin));
  const pool = once(() => post('/v2/pools', { name: `pool-${number}`, ns_records: SERVERS }, admin));
  const event = async () => {
    const path = `/v2/events?target_id=${(await zone()).id}&type=zone.created`;
    return eventually(async (): Promise<Thing | undefined> => {
      const { events } = await ask(tokens.owner, 'GET', path);
      return events[0];
    });
  };
  const idOf = (make: () => Promise<Thing>) => async () => (await make()).id!;
  const listName = `list-${number}`;
  const listImport = once(() => importList(service, listName, `^listed-${number}\\.$`));
  // An open request ends the next one: the one that is accepted comes first.
  const openRequest = once(async () => {
    await accept();
    return request();
  });
  const byParameter: Readonly<Record<string, () => Promise<string>>> = {
    zone_id: idOf(zone),
    recordset_id: idOf(once(() => recordset('own', tokens.owner))),
    other_recordset_id: idOf(
      once(async () => {
        await share();
        return recordset('other', tokens.sharee);
      }),
    ),
    change_id: async () => {
      await recordset('changed', tokens.owner);
      const { changes } = await ask(tokens.owner, 'GET', `/v2/zones/${(await zone()).id}/changes`);
      return changes[0].id;
    },
    deleted_zone_id: async () => {
      const { id } = await post('/v2/zones', { name: `deleted-${zoneName}`, email: 'a@example.org' });
      await ask(tokens.owner, 'DELETE', `/v2/zones/${id}`);
      return id!;
    },
    serial: async () => String((await zone()).serial),
    zone_share_id: idOf(share),
    zone_transfer_request_id: idOf(openRequest),
    zone_transfer_accept_id: idOf(accept),
    zone_import_id: idOf(() =>
      post('/v2/zones/tasks/imports', `$ORIGIN file-${number}.example.\n${IMPORTED}`, tokens.owner, {
        'content-type': 'text/dns',
      }),
    ),
    zone_export_id: idOf(async () => post(`/v2/zones/${(await zone()).id}/tasks/export`)),
    blacklist_id: idOf(blacklist),
    list_name: async () => {
      await listImport();
      return listName;
    },
    import_id: listImport,
    preview_id: async () => endedPreview(service, OWNER, (await blacklist()).id!),
    tld_id: idOf(() => post('/v2/tlds', { name: `tld-${number}` }, admin)),
    pool_id: idOf(pool),
    tsigkey_id: idOf(async () =>
      post('/v2/tsigkeys', { name: `key-${number}`, ...SECRET, resource_id: (await pool()).id }, admin),
    ),
    event_id: idOf(event),
    token_id: idOf(() => post('/v2/tokens', { project_id: `tokens-${number}`, roles: ['reader'] }, admin)),
    service_id: async () => {
      const { service_statuses: statuses } = await ask(admin, 'GET', '/v2/service_statuses');
      return statuses[0].id;
    },
    tenant_id: async () => OWNER,
    project_id: async () => OWNER,
  };
  return { byParameter, openRequest };
}

/**
 * Makes what the parameters name, and what that needs: a zone of the owner that is shared with the sharee, with a recordset of
 * each, an open transfer request for anybody, tasks, and what administrators have.
 */
export async function makeThings(
  service: TestService,
  tokens: Tokens,
  parameters: readonly string[],
): Promise<Things> {
  const number = ++made;
  const zoneName = `matrix-${number}.example.`;
  const { byParameter, openRequest } = makers(service, tokens, number, zoneName);
  const params: Record<string, string> = {};
  for (const parameter of parameters) params[parameter] = await byParameter[parameter]!();
  const isTransferred = parameters.includes('zone_transfer_request_id');
  return { params, zoneName, transferKey: isTransferred ? (await openRequest()).key! : '', number };
}
