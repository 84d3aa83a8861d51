/** Whoever asks beforehand hears what a create then meets: random rules, projects and names. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Random } from '../../support/random.ts';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const LABELS = ['a', 'b', 'brand', 'shop', 'xn--bcher-kva'];
const TOPS = ['example.', 'test.', 'invalid.'];
const PATTERNS = ['^%\\.', '%+', '(^|\\.)%\\.[a-z]+\\.$', '%.*%', '^[^.]*\\.%\\.', 'ü', '(.)\\1'];
const PROJECTS = ['one', 'two', 'three'];

let service: TestService;
const tokens = new Map<string, string>();
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__ZONE_CHECKS_PER_SECOND: '100000' });
  for (const project of PROJECTS) tokens.set(project, await service.token(project, 'member'));
  const quota = { token: service.admin, body: { zones: 4 } };
  await service.request('PATCH', '/v2/quotas/one', quota);
  for (const name of ['example', 'test']) {
    await service.request('POST', '/v2/tlds', { token: service.admin, body: { name } });
  }
});
afterAll(() => service.remove());

function nameOf(random: Random): string {
  const labels = Array.from({ length: 1 + random.below(3) }, () => random.pick(LABELS));
  return `${labels.join('.')}.${random.pick(TOPS)}`;
}

function entryOf(random: Random): object {
  const exceptions = [{ project_id: random.pick(PROJECTS) }, { name: nameOf(random) }];
  return {
    pattern: random.pick(PATTERNS).replaceAll('%', random.pick(LABELS)),
    mode: random.pick(['enforce', 'enforce', 'warn', 'audit']),
    exceptions: random.chance(0.3) ? [random.pick(exceptions)] : [],
    expires_at: random.chance(0.2) ? '2001-01-01T00:00:00' : null,
  };
}

/** The verdict that a create has met, as `/v2/blacklists/check` tells it; null where another rule came first. */
function verdictOf({ status, headers, json }: Answer): string | null {
  if (json.message === 'Blacklisted domain name') return 'refused';
  if (status !== 202) return null;
  return headers.get('warning') === null ? 'allowed' : 'warned';
}

async function agree(random: Random, stored: string[]): Promise<void> {
  const post = (path: string, body: object, token: string) => service.request('POST', path, { token, body });
  if (random.chance(0.3)) {
    const { json } = await post('/v2/blacklists', entryOf(random), service.admin);
    if (json.id !== undefined) stored.push(json.id);
  }
  if (stored.length > 4) {
    await service.request('DELETE', `/v2/blacklists/${stored.shift()}`, { token: service.admin });
  }
  const [project, name] = [random.pick(PROJECTS), nameOf(random)];
  const token = tokens.get(project)!;
  const asked = await post('/v2/zones/check', { name }, token);
  const checked = await post('/v2/blacklists/check', { names: [name], project_id: project }, service.admin);
  const made = await post('/v2/zones', { name, email: 'a@example.org' }, token);
  const { code, type, message, hint } = made.json;
  const refusal =
    made.status === 202 ? null : { code, type, message, ...(hint === undefined ? {} : { hint }) };
  expect([name, asked.json.allowed, asked.json.refusal]).toEqual([name, refusal === null, refusal]);
  expect([name, asked.json.warning]).toEqual([name, made.headers.get('warning')]);
  const told = checked.json.results[0].verdict.replace('audited', 'allowed');
  const verdict = verdictOf(made);
  if (verdict !== null) expect([name, told]).toEqual([name, verdict]);
  else expect([name, told]).not.toEqual([name, 'refused']);
}

it('check, zones/check and a create give the same verdict', async () => {
  const random = new Random(20260);
  const stored: string[] = [];
  for (let round = 0; round < runs(150, 30); round++) await agree(random, stored);
});
