/** `zone plan --json` and `zone apply --json`, on the store of this machine and at a service. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putContents } from '../support/contents.ts';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';

let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

let zones = 0;
async function makeZone() {
  const name = `json-${++zones}.example.`;
  const { json } = await service.request('POST', '/v2/zones', {
    token,
    body: { name, email: 'a@example.org' },
  });
  return { id: json.id as string, name };
}

function fileOf(text: string): string {
  const path = join(service.dataDir, 'wanted.zone');
  writeFileSync(path, text);
  return path;
}

const MODES = {
  'on the store': (args: readonly string[]) => runHere(['zone', ...args], storeOptions(service.dataDir)),
  'at a service': (args: readonly string[]) =>
    runHere(['zone', ...args, '--url', `${service.url}/`], { ZONEWARDEN_TOKEN: token }),
};

describe.each(Object.entries(MODES))('%s', (_, run) => {
  it('prints the answer of the API', async () => {
    const { id, name } = await makeZone();
    await putContents(service, id, 'old 60 A 192.0.2.1\nwww 60 A 192.0.2.1\n', { token });
    const text = 'www 60 A 192.0.2.9\nother.example. 60 A 192.0.2.1\n';
    const { json } = await putContents(service, id, text, { token, query: '?dry_run=true' });
    const planned = await run(['plan', name, fileOf(text), '--json', '--exit-code']);
    expect([planned.status, JSON.parse(planned.out)]).toEqual([3, json]);
    const applied = await run(['apply', name, fileOf(text), '--json', '--yes', '--plan', json.plan]);
    const made = JSON.parse(applied.out);
    expect([applied.status, made.status, made.zone_id, made.plan, made.ignored]).toEqual([
      0,
      'PENDING',
      id,
      json.plan,
      1,
    ]);
    const zone = (await service.request('GET', `/v2/zones/${id}`, { token })).json;
    expect([made.to_serial, made.links.self]).toEqual([
      zone.serial,
      expect.stringMatching(`/v2/zones/${id}/changes/${made.id}$`),
    ]);
    const again = await run(['apply', name, fileOf(text), '--json', '--yes']);
    expect([again.status, JSON.parse(again.out).status]).toEqual([0, 'UNCHANGED']);
  });

  it('prints refusals as the API has them', async () => {
    const { id, name } = await makeZone();
    await putContents(service, id, 'www 60 A 192.0.2.1\n', { token });
    const file = fileOf('; nothing\n');
    const kept = await run(['plan', name, file, '--json', '--max-deletions', '0']);
    expect([kept.status, JSON.parse(kept.out)]).toMatchObject([
      1,
      { status: 'REFUSED', refusal: { code: 409, type: 'too_many_deletions' } },
    ]);
    const outdated = await run([
      'apply',
      name,
      file,
      '--json',
      '--yes',
      '--plan',
      `sha256:${'0'.repeat(64)}`,
    ]);
    expect([outdated.status, JSON.parse(outdated.out)]).toMatchObject([
      1,
      { code: 409, type: 'plan_outdated' },
    ]);
    const faulty = await run(['plan', name, fileOf('a 60 A x\nb 60 A y\n'), '--json']);
    expect(faulty.status).toBe(1);
    expect(JSON.parse(faulty.out)).toMatchObject({
      code: 400,
      errors: { errors: [{ path: ['line', 1] }, { path: ['line', 2] }] },
    });
    const unknown = await run(['plan', 'unknown.example.', file, '--json']);
    expect([unknown.status, JSON.parse(unknown.out).type]).toEqual([1, 'zone_not_found']);
  });

  it('prints the differences, the plan and what stands against it as text', async () => {
    const { name } = await makeZone();
    const file = fileOf('www 60 A 192.0.2.1\nmail 60 MX 10 none\n');
    const { status, out, err } = await run(['plan', name, file, '--keep', 'CAA,TXT']);
    expect([status, out]).toMatchObject([0, expect.stringContaining(`+www.${name} 60 IN A 192.0.2.1\n`)]);
    expect(err).toContain('Guardrail dangling_target');
    const faults = await run(['plan', name, fileOf('a 60 A x\nb 60 A y\n')]);
    expect(faults.err).toMatch(/^line\.2: /m);
  });
});

describe.each(Object.entries(MODES))('%s', (_, run) => {
  it('finds a zone by its exact name alone: no wildcard, a name as people write it, in any letter case', async () => {
    await makeZone();
    const file = fileOf('www 60 A 192.0.2.1\n');
    for (const name of ['*', '*.example', 'z*.example.']) {
      const { status, out } = await run(['plan', name, file, '--json']);
      expect([name, status, JSON.parse(out).type]).toEqual([name, 1, 'zone_not_found']);
    }
    const name = `b\u00fccher-${++zones}.example.`;
    await service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org' } });
    expect(await run(['plan', name, file])).toMatchObject({ status: 0 });
    expect(await run(['plan', name.toUpperCase().slice(0, -1), file])).toMatchObject({ status: 0 });
  });
});

it('fails, and does not refuse, where the service cannot be asked', async () => {
  const { name } = await makeZone();
  const file = fileOf('www 60 A 192.0.2.1\n');
  const ask = async (url: string, environment: Readonly<Record<string, string>>) => {
    const { status, err } = await runHere(['zone', 'plan', name, file, '--url', url], environment);
    return [status, err];
  };
  const wrong = { ZONEWARDEN_TOKEN: 'wrong' };
  expect(await ask(service.url, {})).toEqual([2, expect.stringContaining('ZONEWARDEN_TOKEN')]);
  expect(await ask(service.url, wrong)).toEqual([2, expect.stringContaining('401')]);
  expect(await ask('ftp://127.0.0.1', wrong)).toEqual([2, expect.stringContaining('--url')]);
  expect(await ask('http://127.0.0.1:1', wrong)).toEqual([2, expect.stringContaining('ECONNREFUSED')]);
  const line = expect.stringMatching(/^zonewarden: The service at [^\n]+ gave no answer: [^\n]+\n$/);
  expect(await ask(service.url.replace('http:', 'https:'), wrong)).toEqual([2, line]);
  expect(await ask(service.url, { ZONEWARDEN_TOKEN: 'two\nlines' })).toEqual([2, line]);
});
