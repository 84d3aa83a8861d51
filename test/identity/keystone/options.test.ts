import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig, readConfig } from '../../../src/config/load.ts';
import { printConfig } from '../../../src/config/print.ts';
import { FakeKeystone, keystoneOptions, projectToken } from '../../support/keystone/fake.ts';
import { startTestService } from '../../support/service.ts';

const SECTION = 'ZONEWARDEN_KEYSTONE_AUTHTOKEN__';
const options = keystoneOptions('http://keystone.example.org:5000');
const load = (changes: Record<string, string | undefined>) =>
  loadConfig(undefined, { ...options, ...changes });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the options of Keystone', () => {
  it.each([
    [{ [`${SECTION}AUTH_URL`]: '' }, /auth_url is missing/],
    [{ [`${SECTION}USERNAME`]: '' }, /username is missing/],
    [{ [`${SECTION}PASSWORD`]: '' }, /password is missing/],
    [{ [`${SECTION}PASSWORD_FILE`]: '/x' }, /not both/],
    [{ [`${SECTION}AUTH_TYPE`]: 'v3applicationcredential' }, /application_credential_id is missing/],
    [{ [`${SECTION}CERTFILE`]: '/x' }, /certfile and keyfile/],
    [{ [`${SECTION}DELAY_AUTH_DECISION`]: 'True' }, /delay_auth_decision cannot be "True"/],
    [{ [`${SECTION}INSECURE`]: 'maybe' }, /Must be true or false/],
    [{ [`${SECTION}MEMCACHED_SERVERS`]: 'x' }, /does not match any option/],
    [{ ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'noauth' }, /token, keystone/],
    [{ ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: '' }, /at least 1/],
    [{ ZONEWARDEN_CORS__ALLOWED_ORIGIN: 'https://console.example.org/' }, /without a path/],
  ])('are refused where they do not fit: %j', (changes, message) => {
    expect(() => load(changes)).toThrow(message);
  });

  it('are not needed where nothing is asked of it', () => {
    const rest = { [`${SECTION}AUTH_URL`]: '', [`${SECTION}PASSWORD`]: '' };
    expect(() => load({ ...rest, ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'token' })).not.toThrow();
  });

  it('take what other services have in their files', () => {
    const taken = { [`${SECTION}DELAY_AUTH_DECISION`]: 'False', [`${SECTION}INSECURE`]: 'no' };
    expect(load(taken)).toMatchObject({ keystoneDelayAuthDecision: false, keystoneInsecure: false });
  });

  it('are shown without secrets', () => {
    const secrets = {
      [`${SECTION}PASSWORD`]: 'hush-hush',
      [`${SECTION}APPLICATION_CREDENTIAL_SECRET`]: 'hush-too',
    };
    const printed = printConfig(readConfig(undefined, { ...options, ...secrets }));
    expect(printed).not.toContain('hush');
    expect(printed).toContain('username = zonewarden');
  });
});

describe('a password in a file', () => {
  it('is read when the service gets its token, without its line end', async () => {
    const file = join(folder, 'password');
    writeFileSync(file, 'hush\n');
    const keystone = await FakeKeystone.start();
    const { [`${SECTION}PASSWORD`]: _, ...rest } = keystoneOptions(keystone.url);
    const service = await startTestService({ ...rest, [`${SECTION}PASSWORD_FILE`]: file });
    const token = keystone.issue(projectToken('shop', 'member'));
    expect((await service.request('GET', '/v2/zones', { token })).status).toBe(200);
    expect(JSON.stringify(keystone.logins)).toContain('"password":"hush"}');
    await service.remove();
    await keystone.stop();
  });

  it('that cannot be read keeps the service from starting', async () => {
    const { [`${SECTION}PASSWORD`]: _, ...rest } = options;
    const start = startTestService({ ...rest, [`${SECTION}PASSWORD_FILE`]: join(folder, 'nothing') });
    await expect(start).rejects.toThrow(/\[keystone_authtoken\] password_file: .* cannot be read/);
  });
});
