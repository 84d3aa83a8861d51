/** Prometheus itself: it scrapes the service, and loads the alerts that lie in docs. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { until } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { run, temporaryFolder } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';

const place = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const ALERTS = place('docs/prometheus/alerts.yaml');
const TRIED = place('test/clients/prometheus/alerts.test.yaml');
const INSTALL = 'Install Prometheus (Debian: the package prometheus).';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
}
interface Tried {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
}

const read = <T>(path: string): T => parse(readFileSync(path, 'utf8')) as T;
const rules = read<Rules>(ALERTS).groups.flatMap((group) => group.rules);

const folder = temporaryFolder();
let service: TestService;
/** The same with its figures on the port of the API. */
let guarded: TestService;
let figures: number;
beforeAll(async () => {
  const { status } = await run(['promtool', '--version']).catch(() => {
    throw new Error(`promtool cannot be run. ${INSTALL}`);
  });
  expect(status).toBe(0);
  figures = await freePort();
  service = await startTestService({ ZONEWARDEN_METRICS__LISTEN: String(figures) });
  guarded = await startTestService();
  const body = { name: 'scraped.example.', email: 'a@example.org' };
  await service.request('POST', '/v2/zones', { token: service.admin, body });
  await service.request('GET', '/v2/zones', { token: 'not-a-token' });
});
afterAll(async () => {
  await service.remove();
  await guarded.remove();
  folder.remove();
});

describe('promtool', () => {
  it('has nothing to say against the rules', async () => {
    const { status, out } = await run(['promtool', 'check', 'rules', ALERTS]);
    expect([status, out]).toEqual([0, expect.stringContaining(`${rules.length} rules found`)]);
  });

  it('finds that each alert fires when it should', async () => {
    const beside = join(folder.path, 'rules');
    mkdirSync(beside);
    copyFileSync(ALERTS, join(beside, 'alerts.yaml'));
    copyFileSync(TRIED, join(beside, 'alerts.test.yaml'));
    const { status, out, err } = await run(['promtool', 'test', 'rules', join(beside, 'alerts.test.yaml')]);
    expect([status, out, err]).toEqual([0, expect.stringContaining('SUCCESS'), '']);
    const fired = read<Tried>(TRIED).tests.flatMap((test) => test.alert_rule_test);
    const tried = fired.filter((one) => one.exp_alerts.length > 0).map((one) => one.alertname);
    expect([...new Set(tried)].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  it('has nothing to say against what is told', async () => {
    const text = await (await fetch(`http://127.0.0.1:${figures}/metrics`)).text();
    expect(text).toContain('zonewarden_http_requests_total{');
    const { status, out, err } = await run(['promtool', 'check', 'metrics'], { input: text });
    expect([status, out, err]).toEqual([0, '', '']);
  });
});

describe('Prometheus', () => {
  let prometheus: ChildProcess;
  let url: string;
  let log = '';
  beforeAll(async () => {
    const token = join(folder.path, 'token');
    writeFileSync(token, await guarded.token('monitoring', 'metrics'));
    const { host } = new URL(guarded.url);
    const config = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [ALERTS],
      scrape_configs: [
        { job_name: 'open', static_configs: [{ targets: [`127.0.0.1:${figures}`] }] },
        {
          job_name: 'guarded',
          authorization: { credentials_file: token },
          static_configs: [{ targets: [host] }],
        },
      ],
    };
    const file = join(folder.path, 'prometheus.yml');
    writeFileSync(file, stringify(config));
    const listen = `127.0.0.1:${await freePort()}`;
    url = `http://${listen}/api/v1`;
    const options = [`--config.file=${file}`, `--storage.tsdb.path=${join(folder.path, 'tsdb')}`];
    prometheus = spawn('prometheus', [...options, `--web.listen-address=${listen}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    prometheus.on('error', () => {
      log = `prometheus cannot be run. ${INSTALL}`;
    });
    prometheus.stderr!.on('data', (text: Buffer) => {
      log += text;
    });
  });
  afterAll(async () => {
    if (prometheus.exitCode !== null) return;
    const ended = once(prometheus, 'exit');
    prometheus.kill('SIGTERM');
    await ended;
  });

  const get = async (path: string) => {
    const answer = await fetch(`${url}${path}`);
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
    return (await answer.json()) as any;
  };
  const query = (expression: string) => get(`/query?query=${encodeURIComponent(expression)}`);
  /** The value of an expression that has one. */
  const numberOf = async (expression: string): Promise<number> => {
    const { data } = await query(expression);
    return Number(data.result[0]?.value[1]);
  };

  it('scrapes the service with credentials and without, and answers what it told', async () => {
    await until(async () => {
      expect(prometheus.exitCode, log).toBeNull();
      for (const job of ['open', 'guarded'])
        expect([job, await numberOf(`up{job="${job}"}`)]).toEqual([job, 1]);
    });
    const created = 'zonewarden_http_requests_total{job="open", route="/v2/zones", method="POST"}';
    await until(async () => expect(await numberOf(`sum(${created})`)).toBe(1));
    await until(async () => expect(await numberOf('max(zonewarden_projects{job="guarded"})')).toBe(0));
    await until(async () =>
      expect(await numberOf('sum(zonewarden_credentials_failed_total{job="open", reason="unknown"})')).toBe(
        1,
      ),
    );
  });

  it('answers every question of the dashboard, and asks those of the alerts without a fault', async () => {
    const dashboard = JSON.parse(readFileSync(place('docs/grafana/dashboard.json'), 'utf8')) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    for (const { expr } of dashboard.panels.flatMap(({ targets = [] }) => targets)) {
      const asked = expr.replaceAll('$job', '.*').replaceAll('$__rate_interval', '1m');
      expect([asked, (await query(asked)).status]).toEqual([asked, 'success']);
    }
    await until(async () => {
      const { data } = await get('/rules');
      const loaded = data.groups.flatMap((group: { rules: object[] }) => group.rules);
      const healthy = rules.map(({ alert }) => ({ name: alert, health: 'ok' }));
      expect(loaded).toEqual(healthy.map((rule) => expect.objectContaining(rule)));
    });
  });
});
