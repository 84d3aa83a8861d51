import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CERTIFICATE_FILE, KEY_FILE } from '../../support/keystone/certificate.ts';
import { FakeKeystone, keystoneOptions, projectToken } from '../../support/keystone/fake.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const SECTION = 'ZONEWARDEN_KEYSTONE_AUTHTOKEN__';

describe('a Keystone behind TLS', () => {
  let keystone: FakeKeystone;
  let service: TestService;
  beforeAll(async () => {
    keystone = await FakeKeystone.start({ isTls: true });
    service = await startTestService(keystoneOptions(keystone.url));
  });
  afterAll(async () => {
    await service.remove();
    await keystone.stop();
  });

  async function statusWith(options: Record<string, string>): Promise<number> {
    await service.restart({ ...keystoneOptions(keystone.url), ...options });
    const token = keystone.issue(projectToken('shop', 'member'));
    return (await service.request('GET', '/v2/zones', { token })).status;
  }

  it('with a certificate that nothing vouches for is told nothing', async () => {
    expect(await statusWith({})).toBe(503);
    expect(keystone.asked).toEqual([]);
    expect(JSON.stringify(service.logged)).toMatch(/self-signed certificate/);
  });

  it('is asked where cafile vouches for it', async () => {
    expect(await statusWith({ [`${SECTION}CAFILE`]: CERTIFICATE_FILE })).toBe(200);
  });

  it('is asked where nothing is verified', async () => {
    expect(await statusWith({ [`${SECTION}INSECURE`]: 'true' })).toBe(200);
  });
});

describe('a Keystone that asks for a certificate of its clients', () => {
  let keystone: FakeKeystone;
  let service: TestService;
  beforeAll(async () => {
    keystone = await FakeKeystone.start({ isTls: true, isMutual: true });
    service = await startTestService(keystoneOptions(keystone.url));
  });
  afterAll(async () => {
    await service.remove();
    await keystone.stop();
  });
  const trusting = () => ({ ...keystoneOptions(keystone.url), [`${SECTION}CAFILE`]: CERTIFICATE_FILE });
  const withOwn = (certfile: string, keyfile: string) => ({
    ...trusting(),
    [`${SECTION}CERTFILE`]: certfile,
    [`${SECTION}KEYFILE`]: keyfile,
  });

  async function statusWith(options: Record<string, string>): Promise<number> {
    await service.restart(options);
    const token = keystone.issue(projectToken('shop', 'member'));
    return (await service.request('GET', '/v2/zones', { token })).status;
  }

  it('takes no question without one', async () => {
    expect(await statusWith(trusting())).toBe(503);
    expect(keystone.asked).toEqual([]);
  });

  it('is shown that of certfile', async () => {
    expect(await statusWith(withOwn(CERTIFICATE_FILE, KEY_FILE))).toBe(200);
  });

  it.each([
    ['what is no PEM', 'package.json', KEY_FILE],
    ['what is no key', CERTIFICATE_FILE, CERTIFICATE_FILE],
  ])('is not asked with %s: the service does not start', async (_, certfile, keyfile) => {
    const start = startTestService(withOwn(certfile, keyfile));
    await expect(start).rejects.toThrow(
      /\[keystone_authtoken\] cafile, certfile, keyfile: must be PEM files/,
    );
  });
});
