/** Ways round a blacklist that are known from elsewhere: each is tried, and closed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const BLACKLISTED = { code: 400, type: 'invalid_zone_name', message: 'Blacklisted domain name' };

let service: TestService;
let member: string;
let other: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('tenant', 'member');
  other = await service.token('other', 'member');
  const patterns = [
    '^example\\.com\\.$',
    '^münchen\\.de\\.$',
    '^xn--bcher-kva\\.ch\\.$',
    '^Straße\\.de\\.$',
    'ΒΌΛΟΣ',
    '^UPPER\\.org\\.$',
    '^a_b\\.net\\.$',
  ];
  for (const pattern of patterns) await addPattern(pattern);
});
afterAll(() => service.remove());

async function addPattern(pattern: string): Promise<void> {
  const answer = await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern } });
  expect(answer.status).toBe(201);
}
const create = (name: string, token = member, headers: Record<string, string> = {}): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, headers, body: { name, email: 'a@example.org' } });

async function expectBlacklisted(
  name: string,
  token = member,
  headers: Record<string, string> = {},
): Promise<void> {
  const { json } = await create(name, token, headers);
  expect([name, json]).toEqual([name, expect.objectContaining(BLACKLISTED)]);
}

async function expectNoName(name: string): Promise<void> {
  const { json } = await create(name);
  expect([name, json]).toEqual([name, expect.objectContaining({ code: 400, type: 'invalid_object' })]);
  expect(json.errors.errors.map(({ path }: { path: string[] }) => path)).toEqual([['name']]);
}

describe('no way round a blacklist is', () => {
  it.each(['EXAMPLE.com.', 'Example.Com.', 'eXaMpLe.COM.'])('letter case: %s', (name) =>
    expectBlacklisted(name),
  );

  it.each(['upper.org.', 'UPPER.ORG.', 'Upper.org.'])('letter case, where the pattern has it: %s', (name) =>
    expectBlacklisted(name),
  );

  it.each([
    'münchen.de.',
    'MÜNCHEN.de.',
    'mu\u0308nchen.de.',
    'xn--mnchen-3ya.de.',
    'XN--MNCHEN-3YA.de.',
    'Xn--Mnchen-3ya.DE.',
    'm\u00adünchen.de.',
  ])('punycode, where the pattern is Unicode: %s', (name) => expectBlacklisted(name));

  it.each(['bücher.ch.', 'BÜCHER.CH.', 'xn--bcher-kva.ch.', 'XN--BCHER-KVA.CH.'])(
    'Unicode, where the pattern is punycode: %s',
    (name) => expectBlacklisted(name),
  );

  it.each(['straße.de.', 'STRAẞE.de.', 'xn--strae-oqa.de.'])('a sharp s: %s', (name) =>
    expectBlacklisted(name),
  );

  it.each(['βόλος.com.', 'ΒΌΛΟΣ.com.', 'xn--nxasmm1c.com.'])('a final sigma: %s', (name) =>
    expectBlacklisted(name),
  );

  it.each([
    'ｅｘａｍｐｌｅ.com.',
    'ⓔⓧⓐⓜⓟⓛⓔ.com.',
    '𝐞𝐱𝐚𝐦𝐩𝐥𝐞.com.',
    'ex\u00adample.com.',
    'ex\u2060ample.com.',
    'exam\u{1d429}le.com.',
    'example.c\u24de\u{1d426}.',
    '\u{1d404}xample.com.',
  ])('a character that maps to another: %s', (name) => expectBlacklisted(name));

  it.each([
    'example\u3002com.',
    'example\uff0ecom.',
    'example.com\uff61',
    'example\uff61com.',
    'example.com\u3002',
    'example\u2024com.',
  ])('a character that is taken for a dot: %s', (name) => expectNoName(name));

  it.each([
    'example.com.\n',
    'example.com\n.',
    '\nexample.com.',
    'example.com.\r\n',
    'example.com. ',
    ' example.com.',
    'example.com.\u0000',
    'example.com.\u2028',
    'example.com.\u00a0',
    'example.com.\u200b',
    'example.com..',
    'example..com.',
    '.example.com.',
    'example.com',
    'example\\.com.',
    'example\\046com.',
    'ex\\097mple.com.',
    '*.example.com.',
    'example.com/.',
    'example.com℀.',
    '％65xample.com.',
    `${'a.'.repeat(200)}example.com.`,
    `${'a'.repeat(64)}.com.`,
    'xn--a.com.',
    'xn--.com.',
    'xn--mnchen-3y.de.',
    'xn--example-.com.',
    'com.',
    '.',
    '',
  ])('a name that is none: %j', async (name) => {
    const { json } = await create(name);
    expect([name, json.code]).toEqual([name, 400]);
    expect(['invalid_object', 'invalid_zone_name']).toContain(json.type);
    const list = await service.request('GET', '/v2/zones?limit=max&name=*example.com*', { token: member });
    expect(list.json.zones).toEqual([]);
  });

  it.each(['example.com.\n', 'example.com. ', 'example.com..', 'example\\.com.', 'xn--a.com.', 'com.', ''])(
    'an invalid name, which is refused as such: %j',
    (name) => expectNoName(name),
  );

  it('the word of an administrator', () => expectBlacklisted('example.com.', service.admin));

  it.each(['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID'])('acting for another project: %s', (header) =>
    expectBlacklisted('example.com.', service.admin, { [header]: 'tenant' }),
  );

  it('asking for all projects', () =>
    expectBlacklisted('example.com.', service.admin, { 'X-Auth-All-Projects': 'true' }));

  it('a secondary zone', async () => {
    const body = { name: 'example.com.', type: 'SECONDARY', masters: ['192.0.2.1'] };
    const { json } = await service.request('POST', '/v2/zones', { token: member, body });
    expect([json.code, json.type]).toEqual([400, 'invalid_zone_name']);
  });

  it('a new name for a zone that exists', async () => {
    const { id } = (await create('renamed.com.')).json;
    const answer = await service.request('PATCH', `/v2/zones/${id}`, {
      token: member,
      body: { name: 'example.com.' },
    });
    expect(answer.json).toMatchObject({ code: 400, type: 'invalid_object' });
  });

  it('to delete a zone and create it again', async () => {
    const { id } = (await create('once.more.org.')).json;
    await addPattern('^once\\.more\\.org\\.$');
    expect((await service.request('DELETE', `/v2/zones/${id}`, { token: member })).status).toBe(202);
    await expectBlacklisted('once.more.org.');
  });

  it('a restart of the service', async () => {
    await service.restart();
    await expectBlacklisted('EXAMPLE.com.');
    expect((await create('after-restart.com.')).status).toBe(202);
  });
});

describe('a blacklisted name', () => {
  it('is refused as such whether or not it exists, to its owner and to anyone', async () => {
    await create('hidden.org.');
    await addPattern('hidden\\.org\\.$');
    for (const token of [member, other, service.admin]) {
      await expectBlacklisted('hidden.org.', token);
      await expectBlacklisted('below.hidden.org.', token);
      await expectBlacklisted('not-hidden.org.', token);
    }
  });

  it('is refused as such when the quota is used up', async () => {
    const request = { token: service.admin, body: { zones: 0 } };
    await service.request('PATCH', '/v2/quotas/poor', request);
    const poor = await service.token('poor', 'member');
    expect((await create('some.org.', poor)).status).toBe(413);
    await expectBlacklisted('example.com.', poor);
  });

  it('is free again as soon as its pattern is deleted or changed', async () => {
    for (const change of [undefined, { pattern: '^elsewhere\\.net\\.$' }]) {
      const body = { pattern: '^free-again\\.net\\.$' };
      const { id } = (await service.request('POST', '/v2/blacklists', { token: service.admin, body })).json;
      await expectBlacklisted('free-again.net.');
      const request = { token: service.admin, ...(change ? { body: change } : {}) };
      await service.request(change ? 'PATCH' : 'DELETE', `/v2/blacklists/${id}`, request);
      const created = await create('free-again.net.');
      expect(created.status).toBe(202);
      await service.request('DELETE', `/v2/zones/${created.json.id}`, { token: member });
    }
    await expectBlacklisted('elsewhere.net.');
  });

  it('costs nothing of the quota', async () => {
    const before = await service.request('GET', '/v2/quotas/tenant/usage', { token: member });
    await expectBlacklisted('example.com.');
    const after = await service.request('GET', '/v2/quotas/tenant/usage', { token: member });
    expect(after.json).toEqual(before.json);
  });
});

describe('a name that resembles a blacklisted one', () => {
  it.each([
    'my-example.com.',
    'example_.com.',
    'example.com.au.',
    'examplexcom.net.',
    'axb.net.',
    'munchen.de.',
    'exämple.com.',
  ])('is another name: %s', async (name) => expect([name, (await create(name)).status]).toEqual([name, 202]));

  it('is stored in its one canonical form', async () => {
    for (const [typed, stored] of [
      ['Straßen.EXAMPLE.', 'xn--straen-eta.example.'],
      ['FAẞ.example.', 'xn--fa-hia.example.'],
      ['A_B.Example.', 'a_b.example.'],
    ] as const) {
      expect((await create(typed)).json.name).toBe(stored);
      for (const again of [typed, stored, typed.toLowerCase()]) {
        expect([again, (await create(again)).json.type]).toEqual([again, 'duplicate_zone']);
        expect((await create(again, other)).json.type).toBe('duplicate_zone');
      }
    }
  });
});
