/** The tests of Designate itself, as Debian has them, through a real Keystone and with a real BIND. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { patientKeystoneOptions } from '../support/keystone/fake.ts';
import { RealKeystone } from '../support/keystone/real.ts';
import { type Pool, startPool } from '../support/name-servers/publishing.ts';
import { type Outcome, runTempest } from '../support/tempest/run.ts';
import { makeWorkspace } from '../support/tempest/workspace.ts';

/** How long tokens live, in seconds: longer than all of it takes. */
const TOKEN_LIFE = 14_400;
/** Of a failure nobody expects, so much is shown. */
const LONGEST_SHOWN = 3000;

interface Differences {
  readonly total: number;
  readonly failed: readonly { readonly reason: string; readonly tests: readonly string[] }[];
  readonly skipped: Differences['failed'];
}

const differences: Differences = parse(readFileSync(new URL('differences.yaml', import.meta.url), 'utf8'));

const folder = mkdtempSync(join(tmpdir(), 'zonewarden-tempest-'));
let keystone: RealKeystone;
let pool: Pool;
let outcomes: readonly Outcome[];

beforeAll(async () => {
  keystone = await RealKeystone.start(TOKEN_LIFE, { isStrict: false });
  const account = await keystone.addUser('zonewarden');
  await keystone.grant(account, 'reader', 'system');
  pool = await startPool(['BIND'], {
    ...patientKeystoneOptions(keystone.url),
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__PROJECT_NAME: '',
    ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403',
    ZONEWARDEN_SERVICE_API__QUOTAS_VERIFY_PROJECT_ID: 'true',
  });
  await keystone.addService('dns', pool.service.url);
  outcomes = await runTempest(makeWorkspace(folder, { keystone, server: pool.servers[0]! }));
});
afterAll(async () => {
  await pool?.remove();
  await keystone?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const listed = (which: 'failed' | 'skipped'): string[] =>
  differences[which].flatMap(({ tests }) => tests).sort();
const namesOf = (status: Outcome['status']): string[] =>
  outcomes.flatMap((outcome) => (outcome.status === status ? [outcome.test] : [])).sort();

describe("Designate's own tests", () => {
  it('run, all of them', () => {
    expect(outcomes).toHaveLength(differences.total);
    expect(new Set(outcomes.map(({ test }) => test)).size).toBe(differences.total);
  });

  it('pass, but for those that are listed with a reason', () => {
    const expected = listed('failed');
    const reasons = outcomes
      .filter(({ status, test }) => status === 'failed' && !expected.includes(test))
      .map(({ test, reason }) => `${test}\n${reason.slice(0, LONGEST_SHOWN)}`);
    expect(namesOf('failed'), reasons.join('\n\n')).toEqual(expected);
  });

  it('are skipped only where that is listed with a reason', () => {
    expect(namesOf('skipped')).toEqual(listed('skipped'));
  });
});
