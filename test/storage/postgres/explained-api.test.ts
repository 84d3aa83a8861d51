/**
 * How PostgreSQL goes about every statement of the API, by the plans that auto_explain logs: where one project has nearly all of
 * what is stored, and the statistics are from before that.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Route } from '../../../src/http/edge/route.ts';
import { type Client, connect } from '../../support/client.ts';
import { basic, DYNDNS_ON } from '../../support/dyndns.ts';
import { eventually } from '../../support/eventually.ts';
import { makeThings, OWNER, SHAREE, type Things } from '../../support/everything.ts';
import {
  type Executed,
  type ExecutedStep,
  type ExplainingServer,
  startExplainingServer,
} from '../../support/postgres/explained.ts';
import { NOT_BY_INDEX } from '../../support/postgres/not-by-index.ts';
import { INDEXES_BUILT, skewedFill } from '../../support/postgres/skewed.ts';
import { SKEWED_LISTS } from '../../support/postgres/skewed-lists.ts';
import { LARGE_ZONE, skewedId, skewedName } from '../../support/postgres/skewed-numbers.ts';
import { bodyOf, isOnce, parametersOf, queryOf } from '../../support/requests.ts';
import { everyRoute } from '../../support/routes.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { makeStoreOf } from '../../support/store.ts';
import { PATIENT } from '../../support/write-lock.ts';

/** A custom plan is made for the first five uses; after them the one for any value may be taken. */
const USES = 6;
/** What a step of a plan may read: the longest pages and batches have 1,000 and 2,000 rows. */
const MOST_ROWS = 2100;
/** What may be read without an index: as much as a page of the disk or two. */
const FEW_ROWS = 100;
/** A project that has as many zones as yesterday. */
const SMALL = 'p7';
const DATABASE = 'explained';

type Tokens = Readonly<Record<'admin' | 'owner' | 'sharee' | 'small', string>>;

let database: ExplainingServer;
let service: TestService;
let tokens: Tokens;

async function makeTokens({ request, admin }: TestService): Promise<Tokens> {
  const of = async (projectId: string, role: string): Promise<string> => {
    const body = { project_id: projectId, roles: [role] };
    return (await request('POST', '/v2/tokens', { token: admin, body })).json.token;
  };
  const [owner, sharee] = [await of(OWNER, 'member'), await of(SHAREE, 'member')];
  return { admin: await of(OWNER, 'admin'), owner, sharee, small: await of(SMALL, 'member') };
}

beforeAll(async () => {
  database = await startExplainingServer(DATABASE);
  const connection = database.server.url(DATABASE);
  await makeStoreOf({ ZONEWARDEN_STORAGE__CONNECTION: connection });
  service = await startTestService({
    ...DYNDNS_ON,
    ...PATIENT,
    ZONEWARDEN_STORAGE__CONNECTION: connection,
    // Few, so that each gets to the plans for any value.
    ZONEWARDEN_STORAGE__POOL_SIZE: '2',
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
  });
  tokens = await makeTokens(service);
  await eventually(async () => {
    const found = await database.server.query(INDEXES_BUILT, [], DATABASE);
    return found.length === 1 || undefined;
  });
  await database.fill(skewedFill());
  await service.restart();
  await service.request('POST', '/v2/tlds', { token: service.admin, body: { name: 'example' } });
}, 120_000);
afterAll(async () => {
  await service?.remove();
  await database?.remove();
});

/** Operations that are not asked for: making the things of others does it, or it takes a server elsewhere. */
const NOT_ASKED = [
  'POST /v2/blacklists/import',
  'POST /v2/blacklists/previews',
  'POST /v2/zones/{zone_id}/tasks/xfr',
  'POST /v2/login',
];

/** Bodies that change more than the least that an operation takes. */
function changingBody(name: string, { params, zoneName }: Things, use: number): unknown {
  const recordset = { name: `set.${zoneName}`, type: 'A', records: [`192.0.2.${use + 1}`] };
  const bodies: Readonly<Record<string, unknown>> = {
    'PATCH /v2/blacklists/lists/{list_name}': { mode: use % 2 === 0 ? 'warn' : 'audit' },
    'POST /v2/blacklists/check': { names: [zoneName] },
    'PATCH /v2/zones/{zone_id}': { ttl: 60 + use },
    'POST /v2/zones/{zone_id}/tasks/pool_move': { pool_id: params.pool_id },
    'POST /v2/zones/check': { name: `check.${zoneName}` },
    'PUT /v2/zones/{zone_id}/recordsets/{recordset_id}': { records: recordset.records },
    'POST /v2/zones/{zone_id}/changes': { changes: [{ action: 'upsert', ...recordset }] },
    'PUT /v2/zones/{zone_id}/contents': { recordsets: [recordset] },
    'POST /v2/access/check': { zone: skewedName(LARGE_ZONE), action: 'create' },
    'PATCH /v2/quotas/{project_id}': { zone_records: 1000 + use },
  };
  return bodies[name];
}

async function ask(route: Route, on: Things, use: number): Promise<string[]> {
  const { method, path: template, list, protocol } = route;
  const name = `${method} ${template}`;
  const filled = template.replace(/\{(\w+)\}/g, (_, parameter: string) => on.params[parameter]!);
  const query = queryOf(route, on) || (list === undefined ? '' : '?limit=20');
  const headers = {
    ...(template === '/v2/zones/tasks/imports' ? { 'content-type': 'text/dns' } : {}),
    accept: route.responses.forms[0]?.mediaType ?? 'application/json',
    'x-designate-delete-shares': 'true',
  };
  const body = changingBody(name, on, use) ?? bodyOf(route, on);
  const asked =
    protocol === undefined
      ? { token: tokens.admin, body, headers }
      : { headers: { ...headers, ...basic(tokens.admin) } };
  const { status, text } = await service.request(method, `${filled}${query}`, asked);
  return status < 400 ? [] : [`${name}: ${status} ${text}`];
}

/** Everything that is asked for of one route, and what was refused of it. */
async function askAll(route: Route): Promise<string[]> {
  const parameters = [...parametersOf(route), ...(route.path.endsWith('pool_move') ? ['pool_id'] : [])];
  const make = () => makeThings(service, tokens, parameters);
  let on = await make();
  const refused: string[] = [];
  for (let use = 0; use < USES; use++) {
    if (use > 0 && isOnce(route)) on = await make();
    refused.push(...(await ask(route, on, use)));
  }
  return refused;
}

const isExpected = ({ sql }: Executed) => NOT_BY_INDEX.some(({ statement }) => statement.test(sql));

/** The first step of a plan that reads or sorts much. */
function badStep({ steps }: Executed, grown: ReadonlySet<string>): ExecutedStep | undefined {
  return steps.find(({ type, table, rows }) => {
    if (table === undefined) return type === 'Sort' && rows > MOST_ROWS;
    return grown.has(table) && rows > (type === 'Seq Scan' ? FEW_ROWS : MOST_ROWS);
  });
}

/** The statements whose plans read much, except those that have to: each with one such plan. */
async function foundBad(): Promise<string[]> {
  const grown = await database.tablesOver(MOST_ROWS / 2);
  const bad = new Map<string, string>();
  for (const one of database.executed().filter((executed) => !isExpected(executed))) {
    const step = badStep(one, grown);
    if (step === undefined) continue;
    const plan = `${step.type} ${step.table ?? ''} ${step.index ?? ''}: ${step.rows} rows`;
    bad.set(one.sql, `${one.during}: ${plan}${one.isGeneric ? ', for any value' : ''}\n${one.sql}`);
  }
  return [...bad.values()];
}

it('executes the statements of every operation by indexes', async () => {
  const refused: string[] = [];
  for (const route of everyRoute()) {
    const name = `${route.method} ${route.path}`;
    if (NOT_ASKED.includes(name)) continue;
    await database.note(name);
    refused.push(...(await askAll(route)));
  }
  expect(refused).toEqual([]);
  expect(await foundBad()).toEqual([]);
});

/** Asks for a page by everybody in turn: the statements of both projects are the same. */
async function askForPages(client: Client, path: string, isForMembers: boolean): Promise<string[]> {
  const large = { 'x-auth-token': tokens.admin };
  const all = { ...large, 'x-auth-all-projects': 'true' };
  const small = { 'x-auth-token': isForMembers ? tokens.small : tokens.admin };
  const refused: string[] = [];
  for (const headers of [...Array(USES).fill(large), small, ...Array(USES).fill(all)]) {
    // What matches is counted by nature.
    const { status, text } = await client.send('GET', path, undefined, {
      ...headers,
      'openstack-dns-hide-counts': 'True',
    });
    if (status >= 400) refused.push(`${path}: ${status} ${text}`);
  }
  return refused;
}

it('reads pages of every list in the order of an index, and by each filter that has one', async () => {
  const client = connect(service.url, tokens.admin, 1);
  const refused: string[] = [];
  const params = { zone_id: skewedId(0, LARGE_ZONE), preview_id: skewedId(8, 0) };
  for (const [list, { keys, filters, isForMembers = false }] of Object.entries(SKEWED_LISTS)) {
    const path = list.replace(/\{(\w+)\}/g, (_, name: keyof typeof params) => params[name]);
    const sorted = keys.flatMap((key) => ['asc', 'desc'].map((dir) => `sort_key=${key}&sort_dir=${dir}`));
    const filtered = Object.entries(filters).flatMap(([filter, values]) =>
      values.map((value) => `${filter}=${encodeURIComponent(value)}`),
    );
    for (const query of [...sorted, ...filtered]) {
      await database.note(`GET ${list}?${query}`);
      refused.push(...(await askForPages(client, `${path}?${query}&limit=5`, isForMembers)));
    }
  }
  client.close();
  expect(refused).toEqual([]);
  expect(await foundBad()).toEqual([]);
});

it('knows every list', () => {
  const lists = everyRoute().filter(({ list }) => list !== undefined);
  const paths = lists.map(({ path }) => path).filter((path) => !path.startsWith('/v2/service_status'));
  expect(Object.keys(SKEWED_LISTS).sort()).toEqual(paths.sort());
});
