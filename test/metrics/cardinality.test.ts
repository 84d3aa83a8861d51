/** However many tenants there are and whatever they send: the series of /metrics are bounded. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { issueToken } from '../../src/domain/tokens/token-secret.ts';
import type { Route } from '../../src/http/edge/route.ts';
import { systemClock } from '../../src/model/clock.ts';
import { openStore } from '../../src/storage/open.ts';
import { type Client, connect, forEachInParallel } from '../support/client.ts';
import { until } from '../support/eventually.ts';
import { samplesIn, valueIn } from '../support/exposition.ts';
import { everyRoute } from '../support/routes.ts';
import { runs } from '../support/runs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeSettings } from '../support/store.ts';

const TENANTS = Math.min(10_000, runs(10_000, 6000));
const METHODS = [
  'PATCH',
  'PUT',
  'DELETE',
  'POST',
  'OPTIONS',
  'HEAD',
  'PROPFIND',
  'M-SEARCH',
  'PURGE',
  'LINK',
];
/** Buckets, their sum and their count. */
const SERIES_OF_A_HISTOGRAM = 16;
/** More than any route has. */
const STATUSES = 12;
/** All that is not told by route. */
const OTHERS = 500;

vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

let service: TestService;
let client: Client;
let tokens: readonly string[];
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1000000',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'error',
  });
  client = connect(service.url, service.admin, 16);
  const store = await openStore(storeSettings(service.dataDir));
  const now = systemClock().now();
  const issued = Array.from({ length: TENANTS }, (_, number) =>
    issueToken({ projectId: `tenant-${number}`, roles: ['member'] }, now),
  );
  await store.transaction(async (tx) => {
    for (const { token } of issued) tx.apiTokens.insert(token);
  });
  await store.close();
  tokens = issued.map(({ text }) => text);
});
afterAll(async () => {
  client.close();
  await service.remove();
});

const uuid = (number: number): string => `7d4dbb1f-9f40-4c2a-8f52-${String(number).padStart(12, '0')}`;

type Kind = (number: number) => Promise<unknown>;

function pathOf({ path }: Route, number: number): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === 'project_id' || name === 'tenant_id' ? `tenant-${number}` : uuid(number),
  );
}

/** What callers do: every route, every path by other methods, paths that there are not, all with names of their own. */
function kindsOf(routes: readonly Route[]): readonly Kind[] {
  const send = (number: number, method: string, path: string, body?: object) =>
    client.send(method, path, body, {
      'x-auth-token': number % 7 === 0 ? `token-${number}` : tokens[number]!,
      host: `host-${number}.example`,
      'user-agent': `agent-${number}`,
      'x-auth-sudo-project-id': `tenant-${number}`,
      ...(number % 5 === 0 ? { accept: `application/x-${number}` } : {}),
    });
  const zone = (number: number) => ({ name: `zone-${number}.example.`, email: 'a@example.org' });
  return [
    ...routes.map<Kind>(
      (route) => (number) =>
        send(number, route.method, `${pathOf(route, number)}?name=${number}`, route.body && zone(number)),
    ),
    ...routes.map<Kind>(
      (route) => (number) => send(number, METHODS[number % METHODS.length]!, pathOf(route, number)),
    ),
    (number) => send(number, 'GET', `/v2/tenant-${number}`),
    (number) => send(number, METHODS[number % METHODS.length]!, `/${number}/${number}?${number}`),
    (number) => send(number, 'GET', `/v2/zones/zone-${number}`),
  ];
}

/** The series once these many requests are counted: an answer of /metrics may be older than the last of them. */
async function series(requests: number): Promise<ReadonlySet<string>> {
  const text = await until(async () => {
    const answer = await service.request('GET', '/metrics', { token: service.admin });
    expect(valueIn(answer.text, 'zonewarden_http_requests_total')).toBeGreaterThanOrEqual(requests);
    return answer.text;
  });
  expect(text).not.toMatch(/tenant-|zone-\d|host-\d|agent-\d/);
  const own = samplesIn(text).filter(({ name }) => name.startsWith('zonewarden_'));
  return new Set(own.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`));
}

/** The pairs of route and method: those of each path, HEAD beside GET, one for other methods; one for unknown paths. */
function pairsOf(routes: readonly Route[]): number {
  const heads = routes.filter(({ method }) => method === 'GET').length;
  return routes.length + heads + new Set(routes.map(({ path }) => path)).size + 1;
}

it('thousands of tenants make no more series than there are routes, methods and statuses', async () => {
  const routes = everyRoute();
  const kinds = kindsOf(routes);
  const askAs = async (from: number, to: number) => {
    const numbers = Array.from({ length: to - from }, (_, at) => from + at);
    await forEachInParallel(numbers, 16, async (number) => {
      await kinds[number % kinds.length]!(number);
    });
  };
  await askAs(0, TENANTS / 2);
  const halfway = await series(TENANTS / 2);
  await askAs(TENANTS / 2, TENANTS);
  const after = await series(TENANTS);
  const pairs = pairsOf(routes);
  expect(after.size).toBeLessThanOrEqual(pairs * (SERIES_OF_A_HISTOGRAM + STATUSES) + OTHERS);
  // The bound that docs/metrics.md states.
  expect(after.size).toBeLessThan(8000);
  // Every kind was there before: what is new is at most another status of one.
  expect(after.size - halfway.size).toBeLessThan(pairs);
  expect([...after].filter((one) => one.includes('duration_seconds')).length).toBeGreaterThan(pairs);
});
