import type { Random } from '../../test/support/random.ts';

/** What requests refer to: callers, and the ids of things that exist. */
export interface Fixture {
  readonly admin: string;
  readonly member: string;
  /** The project of the member. */
  readonly project: string;
  readonly zone: string;
  readonly zoneName: string;
  /** A zone that may be deleted. */
  readonly spare: string;
  readonly recordset: string;
  readonly blacklist: string;
  readonly import: string;
  readonly export: string;
  readonly transfer: string;
}

/** A request before it is bytes. */
export interface Draft {
  method: string;
  /** Path and query. */
  target: string;
  headers: [name: string, value: string][];
  body?: Buffer;
}

type Fields = Record<string, unknown>;

/** One operation of the interface, with what it takes when it is asked well. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** With `:zone`, `:id` and `:project` as the service's routes have them. */
  readonly path: string;
  readonly by: 'admin' | 'member';
  /** What `:id` stands for. */
  readonly id?: Exclude<keyof Fixture, 'admin' | 'member' | 'project' | 'zoneName'>;
  readonly fields?: (fixture: Fixture, random: Random) => Fields;
  readonly zoneFile?: (random: Random) => string;
  /** The filters of a list. */
  readonly filters?: readonly string[];
  readonly sortKeys?: readonly string[];
}

const description = 'What is it for? Größe, 例, 🙂';
const zoneFields = (random: Random): Fields => ({
  name: `z${random.below(1e9)}.malformed.example.`,
  email: 'hostmaster@example.org',
  ttl: 300,
  description,
  type: 'PRIMARY',
  masters: [],
  attributes: { shelf: 'lower' },
});
const recordsetFields = ({ zoneName }: Fixture, random: Random): Fields => ({
  name: `r${random.below(1e9)}.${zoneName}`,
  ...random.pick<Fields>([
    { type: 'A', records: ['192.0.2.1', '192.0.2.2'] },
    { type: 'TXT', records: ['"one" "two"'] },
    { type: 'SVCB', records: ['1 . alpn=h2 port=8443'] },
    { type: 'CAA', records: ['0 issue "ca.example.net"'] },
  ]),
  ttl: 60,
  description,
});
const zoneFile = (random: Random): string =>
  `$ORIGIN f${random.below(1e9)}.malformed.example.\n$TTL 300\n@ IN SOA ns admin 1 3600 600 86400 300\n@ NS ns\nns A 192.0.2.1\nw 60 TXT ( "a"\n "b" ) ; end\n`;

const zoneLists = {
  filters: ['name', 'email', 'status', 'description', 'ttl', 'type'],
  sortKeys: ['name', 'created_at', 'serial'],
};
const recordsetLists = {
  filters: ['name', 'type', 'ttl', 'data', 'description', 'status', 'action'],
  sortKeys: ['name', 'type', 'ttl'],
};
const taskLists = { filters: ['status', 'message', 'zone_id'], sortKeys: ['created_at'] };
const transferLists = { filters: ['status'], sortKeys: ['created_at'] };

const admin = { by: 'admin' } as const;
const member = { by: 'member' } as const;
const TASKS = '/v2/zones/tasks';

/** Every operation. */
export const OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/', ...member },
  { method: 'GET', path: '/v2', ...member },
  { method: 'GET', path: '/healthcheck', ...member },
  {
    method: 'POST',
    path: '/v2/blacklists',
    ...admin,
    fields: (_, random) => ({ pattern: `^malformed-${random.below(1e6)}\\.example\\.$`, description }),
  },
  {
    method: 'GET',
    path: '/v2/blacklists',
    ...admin,
    filters: ['pattern', 'description'],
    sortKeys: ['pattern', 'updated_at'],
  },
  { method: 'GET', path: '/v2/blacklists/:id', ...admin, id: 'blacklist' },
  {
    method: 'PATCH',
    path: '/v2/blacklists/:id',
    ...admin,
    id: 'blacklist',
    fields: (_, random) => ({ pattern: `^malformed-${random.below(1e6)}\\.$`, description: null }),
  },
  { method: 'DELETE', path: '/v2/blacklists/:id', ...admin, id: 'blacklist' },
  { method: 'POST', path: '/v2/zones', ...member, fields: (_, random) => zoneFields(random) },
  { method: 'GET', path: '/v2/zones', ...member, ...zoneLists },
  { method: 'GET', path: '/v2/zones/:id', ...member, id: 'zone' },
  {
    method: 'PATCH',
    path: '/v2/zones/:id',
    ...member,
    id: 'zone',
    fields: () => ({ email: 'admin@example.org', ttl: 600, description }),
  },
  { method: 'DELETE', path: '/v2/zones/:id', ...member, id: 'spare' },
  { method: 'POST', path: '/v2/zones/:zone/recordsets', ...member, fields: recordsetFields },
  { method: 'GET', path: '/v2/zones/:zone/recordsets', ...member, ...recordsetLists },
  { method: 'GET', path: '/v2/recordsets', ...member, ...recordsetLists },
  { method: 'GET', path: '/v2/recordsets/:id', ...member, id: 'recordset' },
  { method: 'GET', path: '/v2/zones/:zone/recordsets/:id', ...member, id: 'recordset' },
  {
    method: 'PUT',
    path: '/v2/zones/:zone/recordsets/:id',
    ...member,
    id: 'recordset',
    fields: () => ({ records: ['192.0.2.7'], ttl: null, description }),
  },
  { method: 'DELETE', path: '/v2/zones/:zone/recordsets/:id', ...member, id: 'spare' },
  { method: 'POST', path: `${TASKS}/imports`, ...member, zoneFile },
  { method: 'GET', path: `${TASKS}/imports`, ...member, ...taskLists },
  { method: 'GET', path: `${TASKS}/imports/:id`, ...member, id: 'import' },
  { method: 'DELETE', path: `${TASKS}/imports/:id`, ...member, id: 'spare' },
  { method: 'POST', path: '/v2/zones/:zone/tasks/export', ...member },
  { method: 'GET', path: `${TASKS}/exports`, ...member, ...taskLists },
  { method: 'GET', path: `${TASKS}/exports/:id`, ...member, id: 'export' },
  { method: 'GET', path: `${TASKS}/exports/:id/export`, ...member, id: 'export' },
  { method: 'DELETE', path: `${TASKS}/exports/:id`, ...member, id: 'spare' },
  {
    method: 'POST',
    path: '/v2/zones/:zone/tasks/transfer_requests',
    ...member,
    fields: () => ({ description, target_project_id: 'other' }),
  },
  { method: 'GET', path: `${TASKS}/transfer_requests`, ...member, ...transferLists },
  { method: 'GET', path: `${TASKS}/transfer_requests/:id`, ...member, id: 'transfer' },
  {
    method: 'PATCH',
    path: `${TASKS}/transfer_requests/:id`,
    ...member,
    id: 'transfer',
    fields: () => ({ description: null, target_project_id: null }),
  },
  { method: 'DELETE', path: `${TASKS}/transfer_requests/:id`, ...member, id: 'spare' },
  {
    method: 'POST',
    path: `${TASKS}/transfer_accepts`,
    ...admin,
    fields: ({ transfer }) => ({ zone_transfer_request_id: transfer, key: 'WRONGKEYWRONGKEYWRONGKEY26' }),
  },
  { method: 'GET', path: `${TASKS}/transfer_accepts`, ...admin, ...transferLists },
  { method: 'GET', path: `${TASKS}/transfer_accepts/:id`, ...member, id: 'spare' },
  { method: 'GET', path: '/v2/quotas', ...member },
  { method: 'GET', path: '/v2/quotas/:project', ...admin },
  { method: 'GET', path: '/v2/quotas/:project/usage', ...admin },
  {
    method: 'PATCH',
    path: '/v2/quotas/:project',
    ...admin,
    fields: () => ({ zones: 9, zone_recordsets: 400, zone_records: -1, api_export_size: 900 }),
  },
  { method: 'DELETE', path: '/v2/quotas/:project', ...admin },
  { method: 'GET', path: '/v2/limits', ...member },
  { method: 'GET', path: '/v1/quotas/:project', ...admin },
  {
    method: 'PUT',
    path: '/v1/quotas/:project',
    ...admin,
    fields: () => ({ domains: 8, recordset_records: 20, domain_records: 500, domain_recordsets: 500 }),
  },
  { method: 'DELETE', path: '/v1/quotas/:project', ...admin },
];

/** Whether an operation looks at what its request carries. */
export function takesBody({ fields, zoneFile }: Operation): boolean {
  return fields !== undefined || zoneFile !== undefined;
}

/** The path of an operation with its ids filled in. */
export function pathOf({ path, id }: Operation, fixture: Fixture): string {
  return path
    .replace(':zone', fixture.zone)
    .replace(':id', id === undefined ? '' : fixture[id])
    .replace(':project', 'malformed-quotas');
}

/** An operation asked well. */
export function wellFormed(operation: Operation, fixture: Fixture, random: Random): Draft {
  const { method, by, fields, zoneFile, filters } = operation;
  const query = filters !== undefined && random.chance(0.5) ? `?limit=${1 + random.below(5)}` : '';
  const headers: Draft['headers'] = [
    ['Host', 'dns.example.org'],
    ['X-Auth-Token', fixture[by]],
    ['Accept', 'application/json'],
  ];
  const draft: Draft = { method, target: pathOf(operation, fixture) + query, headers };
  if (zoneFile) {
    headers.push(['Content-Type', 'text/dns']);
    draft.body = Buffer.from(zoneFile(random));
  } else if (fields) {
    headers.push(['Content-Type', 'application/json']);
    draft.body = Buffer.from(JSON.stringify(fields(fixture, random)));
  }
  return draft;
}

/** A request as it goes over the wire, with the length of its body unless a header tells of it already. */
export function encode({ method, target, headers, body }: Draft): Buffer {
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all =
    body === undefined || isFramed ? headers : [...headers, ['Content-Length', String(body.length)]];
  const lines = all.map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body === undefined ? head : Buffer.concat([head, body]);
}
