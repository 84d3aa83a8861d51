import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configurationPage } from '../src/config/print.ts';
import { ERROR_CATALOGUE } from '../src/domain/errors.ts';
import { ANSWERS, EDGE_CATALOGUE } from '../src/http/errors.ts';
import { baseRules, guardRules } from '../src/policy/rules.ts';

const page = (name: string): string => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8');
const kinds = [...Object.keys(ERROR_CATALOGUE), ...Object.keys(EDGE_CATALOGUE)];

describe('the kinds of refusals', () => {
  it('stand in one catalogue each, and every one has its answer', () => {
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(Object.keys(ANSWERS).sort()).toEqual([...kinds].sort());
  });

  it('are all in docs/errors.md, with status, type and message', () => {
    const rows = page('errors.md')
      .split('\n')
      .filter((line) => /^\| \d/.test(line));
    const expected = Object.entries({ ...ERROR_CATALOGUE, ...EDGE_CATALOGUE }).map(([kind, message]) => {
      const { status, type = kind } = ANSWERS[kind as keyof typeof ANSWERS];
      return `| ${status} | \`${type}\` | ${message} |`;
    });
    expect([...rows].sort()).toEqual([...new Set(expected)].sort());
  });
});

describe('docs/policy.md', () => {
  it('has every rule', () => {
    for (const { name } of [...guardRules, ...baseRules])
      expect(page('policy.md')).toContain(`| \`${name}\` |`);
  });
});

describe('docs/configuration.md', () => {
  it('has every option', () => {
    expect(page('configuration.md')).toBe(configurationPage());
  });
});

describe('the reference pages', () => {
  it('are what npm run docs would write', () => {
    const script = new URL('../scripts/docs.mjs', import.meta.url).href;
    const print = `const { PAGES } = await import(${JSON.stringify(script)}); console.log(JSON.stringify(PAGES));`;
    const pages = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', print], { encoding: 'utf8' }),
    );
    expect(Object.keys(pages)).toEqual(['configuration.md', 'errors.md', 'policy.md']);
    for (const [name, text] of Object.entries(pages)) expect([name, page(name)]).toEqual([name, text]);
  });
});
