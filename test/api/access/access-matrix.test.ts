/** Every route × every caller × the caller's relation to the thing, as the policy table says. */
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Route } from '../../../src/http/edge/route.ts';
import type { Caller } from '../../../src/model/access/caller.ts';
import { type Asking, expectationOf, type Outcome } from '../../support/access-expectation.ts';
import { basic, DYNDNS_ON } from '../../support/dyndns.ts';
import { makeThings, OWNER, SHAREE, STRANGER, type Things } from '../../support/everything.ts';
import { FakeKeystone, keystoneOptions, systemToken } from '../../support/keystone/fake.ts';
import { everyRoute } from '../../support/routes.ts';
import { casesOf } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

interface Candidate extends Asking {
  readonly name: string;
  readonly token: string | undefined;
}

let keystone: FakeKeystone;
let service: TestService;
let store: DatabaseSyncInstance;
let candidates: readonly Candidate[];
let tokens: { readonly owner: string; readonly sharee: string };

const ROLES = ['auditor', 'reader', 'member', 'admin'];
const PROJECTS = [OWNER, SHAREE, STRANGER];

async function ofProjects(): Promise<Candidate[]> {
  const made: Candidate[] = [];
  for (const projectId of PROJECTS) {
    for (const role of ROLES) {
      const caller: Caller = { projectId, userId: 'somebody', roles: [role] };
      made.push({ name: `${role} of ${projectId}`, caller, token: await service.token(projectId, role) });
    }
  }
  return made;
}

function forOthers(one: Candidate, ...projects: readonly string[]): Candidate[] {
  return [
    { ...one, name: `${one.name} with all projects`, allProjects: true },
    ...projects.map((sudo) => ({ ...one, name: `${one.name} for ${sudo}`, sudo })),
  ];
}

beforeAll(async () => {
  keystone = await FakeKeystone.start();
  service = await startTestService({
    ...keystoneOptions(keystone.url),
    ...DYNDNS_ON,
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1000000',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
  });
  store = new DatabaseSync(join(service.dataDir, 'zonewarden.db'), { readOnly: true });
  await service.request('POST', '/v2/tlds', { token: service.admin, body: { name: 'example' } });
  const some = await ofProjects();
  const named = (name: string) => some.find((one) => one.name === name)!;
  const system: Candidate = {
    name: 'admin of the system',
    caller: { projectId: '', userId: 'a11ce', roles: ['admin'], systemScope: 'all' },
    token: keystone.issue(systemToken('admin')),
  };
  tokens = { owner: named(`member of ${OWNER}`).token!, sharee: named(`member of ${SHAREE}`).token! };
  candidates = [
    { name: 'nobody', caller: undefined, token: undefined },
    {
      name: 'a bad token',
      caller: undefined,
      token: `${tokens.owner.slice(0, -1)}${tokens.owner.endsWith('A') ? 'B' : 'A'}`,
    },
    ...some,
    ...forOthers(named(`member of ${SHAREE}`), OWNER, SHAREE),
    ...forOthers(named(`admin of ${STRANGER}`), ...PROJECTS),
    system,
    ...forOthers(system, ...PROJECTS),
  ];
}, 120_000);
afterAll(async () => {
  store.close();
  await service.remove();
  await keystone.stop();
});

let names = 0;

/** A body that the operation takes; one that is not listed takes an empty object. */
function bodyOf({ method, path }: Route, { params, zoneName, transferKey, number }: Things): unknown {
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

function headersOf(route: Route, { allProjects, sudo }: Candidate): Record<string, string> {
  return {
    ...(allProjects ? { 'x-auth-all-projects': 'true' } : {}),
    ...(sudo === undefined ? {} : { 'x-auth-sudo-project-id': sudo }),
    ...(route.path === '/v2/zones/tasks/imports' ? { 'content-type': 'text/dns' } : {}),
    accept: route.responses.forms[0]?.mediaType ?? 'application/json',
    'x-designate-delete-shares': 'true',
  };
}

/** A query that the operation needs; '' for none. */
function queryOf({ method, path }: Route, { zoneName, params: { serial } }: Things): string {
  const queries: Readonly<Record<string, string>> = {
    'GET /v2/zones/{zone_id}/contents': '?at=2999-01-01',
    'GET /v2/zones/{zone_id}/diff': `?from=${serial}&to=${serial}`,
    'GET /nic/update': `?hostname=fresh-${++names}.${zoneName}&myip=192.0.2.1`,
  };
  return queries[`${method} ${path}`] ?? '';
}

const UNKNOWN = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';

function ask(route: Route, one: Candidate, on: Things, recordsetOf: string): Promise<Answer> {
  const params: Readonly<Record<string, string>> =
    recordsetOf === OWNER ? on.params : { ...on.params, recordset_id: on.params.other_recordset_id! };
  const filled = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? UNKNOWN);
  const path = `${filled}${queryOf(route, { ...on, params })}`;
  const body = bodyOf(route, on);
  const headers = headersOf(route, one);
  const { token } = one;
  if (route.protocol !== undefined && token !== undefined) {
    return service.request(route.method, path, { headers: { ...headers, ...basic(token) } });
  }
  return service.request(route.method, path, { ...(token && { token }), body, headers });
}

/** What the answer shows of the outcome: the thing itself may refuse what the policy allows, for another reason. */
function outcomeOf({ status, text }: Answer): Outcome {
  // What dyndns2 answers with success.
  if (text === '911\n') return 'denied';
  const refusals: Readonly<Record<number, Outcome>> = { 401: 'denied', 403: 'foreign', 404: 'unseen' };
  return refusals[status] ?? 'allowed';
}

/** Tables of what requests change, which nothing else does while no name servers are configured. */
const CHANGED_BY_REQUESTS = [
  'zones',
  'deleted_zones',
  'recordsets',
  'projects',
  'zone_shares',
  'zone_tasks',
  'zone_transfer_requests',
  'zone_transfer_accepts',
  // Entries of lists come and go in the background.
  'blacklists where by_hand = 1',
  'tlds',
  'pools',
  'tsig_keys',
  'api_tokens',
  'webhooks',
];

/** Everything that a refused request could have changed, a line for each row. */
function stateOf(): readonly string[] {
  const linesOf = (table: string) => {
    const rows = store.prepare(`select * from ${table} order by 1, 2`).all() as Record<string, unknown>[];
    // How far its zones have been gone through is noted in a pool by the service itself, that a deleted zone was counted,
    // and when a token was last used in the token.
    return rows.map(
      ({ reconciled_for, reconciled_to, settled, last_used_at, last_used_from, ...row }) =>
        `${table} ${JSON.stringify(row)}`,
    );
  };
  return CHANGED_BY_REQUESTS.flatMap(linesOf);
}

/** Whether the operation takes something away, so that it can be done once. */
const isOnce = ({ method, path }: Route) =>
  method === 'DELETE' || (method === 'POST' && /\/tasks\/|^\/v2\/deleted_zones\//.test(path));

/** What the path, the query and the body of a request name; in whatever is in a zone, sharees take part. */
function parametersOf({ method, path }: Route): readonly string[] {
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

const isOfRecordset = ({ path }: Route) => path.includes('{recordset_id}');

it.each(everyRoute().map((route, number) => [`${route.method} ${route.path}`, route, number] as const))(
  '%s is for those whom the policy table allows it, and changes nothing for others',
  async (_, route, number) => {
    const owners = isOfRecordset(route) ? [OWNER, SHAREE] : [OWNER];
    const cells = owners.flatMap((recordsetOf) =>
      casesOf(candidates, 2, number).map((one) => {
        return { one, recordsetOf, expected: expectationOf(route, one, recordsetOf) };
      }),
    );
    const told = (cell: (typeof cells)[number], outcome: Outcome) =>
      `${cell.one.name}, a recordset of ${cell.recordsetOf}: ${outcome}`;
    const found: string[] = [];
    const make = () => makeThings(service, tokens, parametersOf(route));
    const on = await make();
    const before = stateOf();
    for (const cell of cells.filter(({ expected }) => expected !== 'allowed')) {
      found.push(told(cell, outcomeOf(await ask(route, cell.one, on, cell.recordsetOf))));
    }
    expect(stateOf()).toEqual(before);
    const allowed = cells.filter(({ expected }) => expected === 'allowed');
    // Much of the making is waiting for tasks, so what each cell takes away is made for all of them at once.
    const own = await Promise.all(allowed.map(() => (isOnce(route) ? make() : on)));
    for (const [index, cell] of allowed.entries()) {
      found.push(told(cell, outcomeOf(await ask(route, cell.one, own[index]!, cell.recordsetOf))));
    }
    expect(found.sort()).toEqual(cells.map((cell) => told(cell, cell.expected)).sort());
  },
);

it('has callers of each kind, and refusals of each', () => {
  const outcomes = everyRoute().flatMap((route) => candidates.map((one) => expectationOf(route, one, OWNER)));
  expect(candidates.length).toBeGreaterThan(20);
  expect(new Set(outcomes)).toEqual(new Set(['allowed', 'denied', 'unseen', 'foreign']));
});
