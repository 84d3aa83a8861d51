import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurationPage } from '../src/config/print.ts';
import { answerTo, EDGE_CATALOGUE, type EdgeKind } from '../src/http/edge/errors.ts';
import { rulesOf } from '../src/http/edge/route.ts';
import { ERROR_CATALOGUE, type ErrorKind } from '../src/model/errors.ts';
import { EVENT_TYPES } from '../src/model/event-types/contents.ts';
import { BASE_RULES, GUARD_RULES } from '../src/policy/rules.ts';
import { everyRoute } from './support/routes.ts';

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const kinds = [...Object.keys(ERROR_CATALOGUE), ...Object.keys(EDGE_CATALOGUE)] as (ErrorKind | EdgeKind)[];

describe('docs/README.md', () => {
  it('links to every page, once', () => {
    const folder = new URL('../docs/', import.meta.url);
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.md') && name !== 'README.md',
    );
    const linked = [...page('README.md').matchAll(/\]\(([^)#]+\.md)\)/g)].map(([, path]) => path!);
    expect(linked.sort()).toEqual(pages.sort());
  });
});

describe('the kinds of refusals', () => {
  it('stand in one catalogue each, and every one has its answer', () => {
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const kind of kinds) expect([kind, answerTo(kind).status]).toEqual([kind, expect.any(Number)]);
  });

  it('are all in docs/errors.md, with status, type and message', () => {
    const rows = page('errors.md')
      .split('\n')
      .filter((line) => /^\| \d/.test(line));
    const expected = Object.entries({ ...ERROR_CATALOGUE, ...EDGE_CATALOGUE }).map(([, message], at) => {
      const kind = kinds[at]!;
      const { status, type } = answerTo(kind);
      return `| ${status} | \`${type}\` | ${message} |`;
    });
    expect([...rows].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe('docs/policy.md', () => {
  it('has every rule', () => {
    for (const { name } of [...GUARD_RULES, ...BASE_RULES])
      expect(page('policy.md')).toContain(`| \`${name}\` |`);
  });
});

describe('a route', () => {
  const METHOD = /^[A-Z]+ \//;
  const routes = everyRoute();
  const guarded = routes.flatMap(({ guard, method, path }) =>
    rulesOf(guard).map((rule) => ({ rule, operation: `${method} ${path}` })),
  );

  it('stands in the policy table as an operation of its rule, and what stands there is a route', () => {
    // Some requests ask a rule besides that of their route.
    const besides = [
      'use_blacklisted_zone',
      'use_blacklisted_recordset',
      'zone_create_forced_pool',
      'hard_delete',
      'create_sub_zone',
      'create_super_zone',
      'create_sub_zone_other_project',
    ];
    const listed = GUARD_RULES.filter(({ name }) => !besides.includes(name)).flatMap(({ name, operations }) =>
      operations.map((operation) => ({ rule: name, operation })),
    );
    const sorted = (pairs: typeof guarded) =>
      pairs.map(({ rule, operation }) => `${operation} ${rule}`).sort();
    expect(sorted(listed.filter(({ operation }) => METHOD.test(operation)))).toEqual(sorted(guarded));
  });

  it('has its row in docs/api.md, and its body a section', () => {
    const text = page('api.md');
    for (const { method, path, body } of routes) {
      expect(text).toContain(`| \`${method} ${path}\` |`);
      if (body !== undefined) expect(text).toContain(`### \`${method} ${path}\`\n`);
    }
  });
});

describe('docs/events.md', () => {
  it('has every type of event, with who may see it', () => {
    const rows = page('events.md').split('\n');
    for (const { type, shownTo } of EVENT_TYPES) {
      const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${type}\``));
      const isForAll = row?.includes('| administrators |') === false;
      expect([type, isForAll]).toEqual([type, shownTo === 'projects']);
    }
  });
});

describe('docs/configuration.md', () => {
  it('has every option', () => {
    expect(page('configuration.md')).toBe(configurationPage());
  });
});

describe('the reference pages', () => {
  it('are what npm run docs would write', async () => {
    const script: string = new URL('../scripts/docs.mjs', import.meta.url).href;
    const { PAGES: pages } = await import(script);
    expect(Object.keys(pages)).toEqual([
      'api.md',
      'configuration.md',
      'errors.md',
      'metrics.md',
      'policy.md',
    ]);
    for (const [name, text] of Object.entries(pages)) expect([name, page(name)]).toEqual([name, text]);
  });
});
