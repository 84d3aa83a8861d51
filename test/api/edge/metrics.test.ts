import { connect as connectSocket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, until } from '../../support/eventually.ts';
import { namesIn, samplesIn, valueIn } from '../../support/exposition.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, isOnPostgres } from '../../support/store.ts';

let service: TestService;
let reader: string;
let tenant: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '5' });
  reader = await service.token('monitoring', 'metrics');
  tenant = await service.token('shop', 'member');
});
afterAll(() => service.remove());

const scrape = async (token = reader): Promise<string> => {
  const { status, text } = await service.request('GET', '/metrics', {
    token,
    headers: { accept: undefined },
  });
  expect(status).toBe(200);
  return text;
};

/** Waits until the figures say so: what is answered may be a second old, and those of the store half a minute. */
const figuresSay = (holds: (text: string) => void): Promise<void> => until(async () => holds(await scrape()));

const createZone = (name: string, token = tenant) =>
  service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org' } });

describe('the figures on the port of the API', () => {
  it('are text for administrators and for the role metrics', async () => {
    for (const token of [service.admin, reader]) {
      const answer = await service.request('GET', '/metrics', { token });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(namesIn(answer.text)).toContain('zonewarden_http_requests_total');
    }
  });

  it('are answered to what Prometheus sends, and to HEAD', async () => {
    const accept =
      'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
    const headers = { accept, 'content-type': undefined };
    expect((await service.request('GET', '/metrics', { token: reader, headers })).status).toBe(200);
    const head = await service.request('HEAD', '/metrics', { token: reader, headers });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(
      (await service.request('GET', '/metrics', { token: reader, headers: { accept: 'image/png' } })).status,
    ).toBe(406);
  });

  it('are refused to others, and by other methods', async () => {
    expect((await service.request('GET', '/metrics')).status).toBe(401);
    for (const role of ['member', 'reader', 'metric', 'auditor']) {
      const token = await service.token('shop', role);
      expect((await service.request('GET', '/metrics', { token })).status).toBe(401);
    }
    expect((await service.request('POST', '/metrics', { token: reader })).status).toBe(405);
  });

  it('are all that the role metrics opens', async () => {
    for (const path of [
      '/v2/zones',
      '/v2/blacklists',
      '/v2/pools',
      '/v2/recordsets',
      '/v2/zones/tasks/imports',
    ]) {
      expect([path, (await service.request('GET', path, { token: reader })).status]).toEqual([path, 401]);
    }
    const headers = { 'x-auth-sudo-project-id': 'shop' };
    expect((await service.request('GET', '/metrics', { token: reader, headers })).status).toBe(401);
  });
});

describe('the figures', () => {
  it('count requests by template, method and status, with their time', async () => {
    const { json: zone } = await createZone('counted.example.');
    const path = `/v2/zones/${zone.id}`;
    const labels = { route: '/v2/zones/{zone_id}', method: 'GET' };
    const before = valueIn(await scrape(), 'zonewarden_http_requests_total', labels) ?? 0;
    for (let i = 0; i < 3; i++) await service.request('GET', path, { token: tenant });
    await service.request('GET', `${path}/`, { token: await service.token('other', 'member') });
    await service.request('HEAD', path, { token: tenant });
    await figuresSay((text) => {
      const requests = (status: string) =>
        valueIn(text, 'zonewarden_http_requests_total', { ...labels, status }) ?? 0;
      expect(requests('200') + requests('404')).toBe(before + 4);
      expect(requests('404')).toBe(1);
      expect(valueIn(text, 'zonewarden_http_request_duration_seconds_count', labels)).toBe(before + 4);
      expect(valueIn(text, 'zonewarden_http_requests_total', { ...labels, method: 'HEAD' })).toBe(1);
    });
  });

  it('have one label for every unknown path and every method that a path does not have', async () => {
    for (const path of ['/v3', '/v2/zone', '/etc/passwd', '/v2/zones/a/b/c/d']) {
      await service.request('GET', path, { token: tenant });
    }
    for (const method of ['PROPFIND', 'DELETE', 'PUT']) await service.request(method, '/v2/zones');
    await figuresSay((text) => {
      const other = { method: 'other', status: '404', route: 'none' };
      expect(valueIn(text, 'zonewarden_http_requests_total', other)).toBe(4);
      const refused = { method: 'other', status: '405', route: '/v2/zones' };
      expect(valueIn(text, 'zonewarden_http_requests_total', refused)).toBe(3);
    });
  });

  it('count refusals by kind and failed credentials by reason', async () => {
    const admin = { token: service.admin };
    await service.request('POST', '/v2/blacklists', { ...admin, body: { pattern: '^forbidden\\.' } });
    const { json: warned } = await service.request('POST', '/v2/blacklists', {
      ...admin,
      body: { pattern: '^warned\\.', mode: 'audit' },
    });
    await service.request('PATCH', `/v2/blacklists/${warned.id}`, { ...admin, body: { mode: 'warn' } });
    const body = { pattern: '^warned-too\\.', mode: 'warn' };
    await service.request('POST', '/v2/blacklists', { ...admin, body });
    const [stored] = await inStoreOf(service.dataDir, 'select revision from blacklist_revision');
    await createZone('forbidden.example.');
    await service.request('GET', '/v2/zones', { token: 'zw_not_a_token' });
    await service.request('GET', '/v2/zones');
    await new Promise<void>((resolve, reject) => {
      const socket = connectSocket(Number(new URL(service.url).port), '127.0.0.1');
      socket.on('error', reject).on('close', () => resolve());
      socket.resume().end('NOT HTTP\r\n\r\n');
    });
    await figuresSay((text) => {
      const refusals = (kind: string) => valueIn(text, 'zonewarden_http_refusals_total', { kind });
      expect(refusals('blacklisted_name')).toBe(1);
      expect(refusals('unauthenticated')).toBeGreaterThanOrEqual(2);
      expect(refusals('bad_request')).toBe(1);
      const failed = (reason: string) => valueIn(text, 'zonewarden_credentials_failed_total', { reason });
      expect(failed('unknown')).toBe(1);
      expect(failed('missing')).toBeGreaterThanOrEqual(1);
      const checks = 'zonewarden_blacklist_check_duration_seconds_count';
      expect(valueIn(text, checks, { outcome: 'blocked' })).toBeGreaterThanOrEqual(1);
      expect(valueIn(text, checks, { outcome: 'undecided' })).toBe(0);
      const patterns = (mode: string) => valueIn(text, 'zonewarden_blacklist_patterns', { mode });
      expect(['enforce', 'warn', 'audit'].map(patterns)).toEqual([1, 2, 0]);
      expect(valueIn(text, 'zonewarden_blacklist_index_revision')).toBe(Number(stored!.revision));
    });
  });

  it('tell of names that could not be checked, and of the steps that were taken', async () => {
    const body = { pattern: '^(([a-z])+.)+\\2\\.slowly\\.$' };
    const { json: slow } = await service.request('POST', '/v2/blacklists', { token: service.admin, body });
    await createZone(`${'abcd'.repeat(15)}.slowly.`);
    await service.request('DELETE', `/v2/blacklists/${slow.id}`, { token: service.admin });
    await figuresSay((text) => {
      const checks = 'zonewarden_blacklist_check_duration_seconds_count';
      expect(valueIn(text, checks, { outcome: 'undecided' })).toBe(1);
      expect(valueIn(text, 'zonewarden_blacklist_check_steps_count')).toBe(1);
      expect(valueIn(text, 'zonewarden_blacklist_check_steps_sum')).toBeGreaterThan(10_000_000);
    });
  });

  it('tell of the transactions, and of the connections or the commits they share', async () => {
    await Promise.all([1, 2, 3].map((number) => createZone(`together-${number}.example.`)));
    await figuresSay((text) => {
      const ended = 'zonewarden_transaction_duration_seconds_count';
      expect(valueIn(text, ended, { outcome: 'committed' })).toBeGreaterThanOrEqual(3);
      const pools = valueIn(text, 'zonewarden_pool_connections', { pool: 'requests', state: 'idle' });
      const waits = valueIn(text, 'zonewarden_pool_wait_duration_seconds_count');
      const commits = valueIn(text, 'zonewarden_group_commit_transactions_count');
      if (isOnPostgres()) {
        expect(pools).toBeGreaterThanOrEqual(0);
        expect(waits).toBeGreaterThanOrEqual(3);
      } else {
        expect(pools).toBeUndefined();
        expect(commits).toBeGreaterThanOrEqual(1);
        expect(valueIn(text, 'zonewarden_group_commit_transactions_sum')).toBeGreaterThanOrEqual(3);
      }
    });
  });

  it('tell of the whole store, with the projects near their limits and no name of any of them', async () => {
    const own = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '5' });
    try {
      const create = async (project: string, count: number) => {
        const token = await own.token(project, 'member');
        for (let number = 0; number < count; number++) {
          const body = { name: `${project}-${number}.example.`, email: 'a@example.org' };
          expect((await own.request('POST', '/v2/zones', { token, body })).status).toBe(202);
        }
        return token;
      };
      await create('tenant-far', 3);
      await create('tenant-near', 4);
      await create('tenant-full', 5);
      const boundless = await create('tenant-boundless', 1);
      const path = '/v2/quotas/tenant-boundless';
      const limits = { zones: -1, zone_recordsets: 1, zone_records: 5 };
      expect((await own.request('PATCH', path, { token: own.admin, body: limits })).status).toBe(200);
      const [zone] = (await own.request('GET', '/v2/zones', { token: boundless })).json.zones;
      const body = {
        name: `www.${zone.name}`,
        type: 'A',
        records: ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'],
      };
      expect(
        (await own.request('POST', `/v2/zones/${zone.id}/recordsets`, { token: boundless, body })).status,
      ).toBe(202);
      // What each project uses is looked at every few seconds; a service that starts reads the figures at once.
      const since = new Date().toISOString();
      await eventually(async () => {
        const { json } = await own.request('GET', '/v2/usage', { token: own.admin });
        return (json.as_of !== null && json.as_of > since) || undefined;
      });
      await own.restart();
      await until(async () => {
        const { text } = await own.request('GET', '/metrics', { token: own.admin });
        expect(valueIn(text, 'zonewarden_projects')).toBe(4);
        expect(valueIn(text, 'zonewarden_zones')).toBe(13);
        expect(valueIn(text, 'zonewarden_recordsets')).toBe(1);
        const near = (key: string, level: string) =>
          valueIn(text, 'zonewarden_projects_near_limit', { key, level });
        expect([near('zones', 'near'), near('zones', 'at')]).toEqual([1, 1]);
        expect([near('zone_recordsets', 'near'), near('zone_recordsets', 'at')]).toEqual([0, 1]);
        expect([near('zone_records', 'near'), near('zone_records', 'at')]).toEqual([1, 0]);
        expect([near('zone_size', 'near'), near('zone_size', 'at')]).toEqual([0, 0]);
        expect(valueIn(text, 'zonewarden_publication_orders_waiting')).toBe(0);
        expect(valueIn(text, 'zonewarden_publication_oldest_order_age_seconds')).toBe(0);
        expect(valueIn(text, 'zonewarden_secondary_zones_due')).toBe(0);
        expect(valueIn(text, 'zonewarden_blacklist_index_lag_revisions')).toBe(0);
        expect(
          valueIn(text, 'zonewarden_store_figures_age_seconds', { figures: 'limits' }),
        ).toBeGreaterThanOrEqual(0);
        expect(text).not.toContain('tenant-');
      });
    } finally {
      await own.remove();
    }
  });

  it('have a line for what each metric is, and no sample twice', async () => {
    const text = await scrape();
    const keys = samplesIn(text).map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const name of namesIn(text)) expect(text).toContain(`# HELP ${name} `);
  });
});
