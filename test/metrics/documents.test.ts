/** The dashboard and the alerts ask for what /metrics tells, as it is told. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { METRICS, type MetricDefinition } from '../../src/metrics/catalogue.ts';
import { describedMetrics } from '../../src/metrics/metrics.ts';
import { namesIn } from '../support/exposition.ts';
import { startTestService, type TestService } from '../support/service.ts';

const file = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly Target[];
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly description: string };
}

const dashboard = JSON.parse(file('grafana/dashboard.json')) as {
  readonly schemaVersion: number;
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string }[] };
};
const rules = (parse(file('prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
);
const targets = dashboard.panels.flatMap((panel) => panel.targets ?? []);
const expressions = [...targets, ...rules].map(({ expr }) => expr);

/** The names of metrics in an expression, as they are declared: a histogram has its parts under names of their own. */
function namesOf(expression: string): string[] {
  const found = expression.match(/\b(zonewarden|process|nodejs)_\w+/g) ?? [];
  return found.map((name) => name.replace(/_(bucket|sum|count)$/, ''));
}

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

const definitions = Object.values<MetricDefinition>(METRICS);

describe('the dashboard and the alerts', () => {
  it('name metrics that are told, and all of the service', async () => {
    const { text } = await service.request('GET', '/metrics', { token: service.admin });
    const told = namesIn(text);
    const asked = new Set(expressions.flatMap(namesOf));
    expect(expressions.filter((expression) => namesOf(expression).length === 0)).toEqual([]);
    expect([...asked].filter((name) => !told.has(name))).toEqual([]);
    const shown = new Set(targets.flatMap(({ expr }) => namesOf(expr)));
    expect(definitions.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('ask for the largest of what every process tells of the whole store', () => {
    const ofStore = definitions.filter(({ isStoreWide }) => isStoreWide).map(({ name }) => name);
    for (const expression of expressions) {
      for (const name of ofStore.filter((one) => new RegExp(`\\b${one}\\b`).test(expression))) {
        expect(expression).toMatch(new RegExp(`max(?: by \\([a-z, ]+\\))? ?\\(${name}\\b`));
      }
    }
  });

  it('use labels that the metrics have', () => {
    const known = new Set(['job', 'instance', 'le', ...definitions.flatMap(({ labels }) => labels)]);
    for (const expression of expressions) {
      const selected = [...expression.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label]) => label!);
      const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, */));
      for (const label of [...selected, ...grouped]) expect(known).toContain(label);
    }
  });
});

describe('the dashboard', () => {
  it('is one that Grafana imports: its ids differ, its panels lie beside each other, its variables are declared', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(dashboard).toMatchObject({ schemaVersion: expect.any(Number), uid: 'zonewarden' });
    const taken = new Set<string>();
    for (const { type, gridPos, targets: asked } of dashboard.panels) {
      expect(['row', 'timeseries', 'stat']).toContain(type);
      expect(asked === undefined).toBe(type === 'row');
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken).not.toContain(`${x} ${y}`);
          taken.add(`${x} ${y}`);
        }
      }
      const refs = (asked ?? []).map(({ refId }) => refId);
      expect(new Set(refs).size).toBe(refs.length);
    }
    const declared = [...dashboard.templating.list.map(({ name }) => name), '__rate_interval'];
    const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)\}?/g)].map(([, name]) => name!);
    expect(used.filter((name) => !declared.includes(name))).toEqual([]);
  });
});

describe('an alert', () => {
  it('has a name of its own, and says what is wrong and what to do', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { annotations } of rules) {
      expect(annotations.summary).toMatch(/\.$/);
      expect(annotations.description).toMatch(/\.$/);
    }
  });
});

describe('docs/metrics.md', () => {
  it('describes what /metrics tells, and nothing else', async () => {
    const { text } = await service.request('GET', '/metrics', { token: service.admin });
    const described = (await describedMetrics()).map(({ name }) => name);
    expect([...namesIn(text)].sort()).toEqual([...described].sort());
    const rows = [...file('metrics.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
    expect([...rows].sort()).toEqual([...described].sort());
  });
});
