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
import { bodyOf, isOnce, parametersOf, queryOf } from '../../support/requests.ts';
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

function headersOf(route: Route, { allProjects, sudo }: Candidate): Record<string, string> {
  return {
    ...(allProjects ? { 'x-auth-all-projects': 'true' } : {}),
    ...(sudo === undefined ? {} : { 'x-auth-sudo-project-id': sudo }),
    ...(route.path === '/v2/zones/tasks/imports' ? { 'content-type': 'text/dns' } : {}),
    accept: route.responses.forms[0]?.mediaType ?? 'application/json',
    'x-designate-delete-shares': 'true',
  };
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
