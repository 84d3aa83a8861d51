/** dyndns2: requests that are malformed, too large, or sent in another way than by GET. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordsetsIn } from '../../support/change-sets.ts';
import { basic, DYNDNS_ON, sendUpdate } from '../../support/dyndns.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const BEHIND_A_PROXY = { ...DYNDNS_ON, ZONEWARDEN_SERVICE_API__TRUSTED_PROXIES: '127.0.0.1' };

let service: TestService;
let token: string;
let zone: string;
beforeAll(async () => {
  service = await startTestService(BEHIND_A_PROXY);
  token = await service.token('shop', 'member');
  const body = { name: 'example.org.', email: 'a@example.org' };
  zone = (await service.request('POST', '/v2/zones', { token, body })).json.id;
});
afterAll(() => service.remove());

const update = (query: string, headers = {}): Promise<Answer> => sendUpdate(service, token, query, headers);
const shown = ({ status, text }: Answer) => [status, text];

describe('myip', () => {
  it.each([
    '192.0.2',
    '192.0.2.256',
    '192.0.02.1',
    '0x7f000001',
    '192.0.2.1/32',
    '192.0.2.1:80',
    '192.0.2.1 ; comment',
    '[2001:db8::1]',
    'fe80::1%25eth0',
    '2001:db8::1::2',
    'home.example.org',
    '192.0.2.1,192.0.2.2',
    '2001:db8::1,2001:db8::2',
    '192.0.2.1,2001:db8::1,192.0.2.3',
    '192.0.2.1&myip=192.0.2.2',
    '%00',
    '%ff%fe',
    `${'1'.repeat(8000)}`,
  ])('that is not as it has to be is refused, and changes nothing: %s', async (myip) => {
    const refused = await update(`hostname=bad.example.org&myip=${myip}`);
    expect(shown(refused)).toEqual([400, '911\n']);
    expect(refused.headers.get('warning')).toContain('One IPv4 address');
    expect(Object.keys(await recordsetsIn(service, zone, token))).not.toContain('bad.example.org. A');
  });

  it.each([
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['10.0.0.1', '10.0.0.1'],
    ['192.168.0.1,fd00::1', '192.168.0.1,fd00::1'],
    ['%31%30.0.0.1%2c2001%3Adb8%3A%3A1', '10.0.0.1,2001:db8::1'],
    ['192.0.2.1&myip=2001:db8::1', '192.0.2.1,2001:db8::1'],
    ['+192.0.2.1+,', '192.0.2.1'],
    ['fe80::1', 'fe80::1'],
  ])('may be %s', async (myip, address) => {
    const { text } = await update(`hostname=fine.example.org&myip=${myip}`);
    expect(text).toMatch(/^(good|nochg) /);
    expect(text.split(' ')[1]).toBe(`${address}\n`);
  });

  it('is the address that a trusted proxy names, if it is missing', async () => {
    const from = (address: string) => update('hostname=proxied.example.org', { 'x-forwarded-for': address });
    expect((await from('198.51.100.7')).text).toBe('good 198.51.100.7\n');
    expect((await from('192.0.2.99, 2001:DB8::7')).text).toBe('good 2001:db8::7\n');
    expect((await from('::ffff:198.51.100.7')).text).toBe('nochg 198.51.100.7\n');
    for (const unusable of ['unknown', '198.51.100.7:1234', 'fe80::1%eth0', 'é']) {
      const refused = await from(unusable);
      expect([unusable, ...shown(refused)]).toEqual([unusable, 400, '911\n']);
      expect(refused.headers.get('warning')).toContain('Send myip');
    }
  });
});

describe('hostname', () => {
  it.each(['', 'hostname=', 'hostname=,+,', 'myip=192.0.2.1', 'host=a.example.org'])(
    'that is missing is answered notfqdn once: %s',
    async (query) => {
      const response = await fetch(`${service.url}/nic/update?${query}`, { headers: basic(token) });
      expect([response.status, await response.text()]).toEqual([200, 'notfqdn\n']);
    },
  );

  it.each([
    'localhost',
    'org.',
    '.example.org',
    'a..example.org',
    '-a.example.org',
    'a b.example.org',
    'a*.example.org',
    'a%5C046.example.org',
    'a/b.example.org',
    '%ff.example.org',
    '%00.example.org',
    `${'a'.repeat(64)}.example.org`,
    `${'a.'.repeat(130)}example.org`,
  ])('that no host can have is answered notfqdn: %s', async (hostname) => {
    const { status, text } = await update(`hostname=${hostname}&myip=192.0.2.1`);
    expect([status, text]).toEqual([200, 'notfqdn\n']);
  });

  it('may name 20 hosts, with the parameter repeated, and no more', async () => {
    const hosts = Array.from({ length: 20 }, (_, number) => `h${number}.example.org`);
    const most = await update(`hostname=${hosts.slice(0, 9)}&hostname=${hosts.slice(9)}&myip=192.0.2.1`);
    expect(shown(most)).toEqual([200, 'good 192.0.2.1\n'.repeat(20)]);
    const more = await update(`hostname=${hosts},h0.example.org&myip=192.0.2.9`);
    expect(shown(more)).toEqual([200, 'numhost\n']);
    const many = await update(`hostname=${'a,'.repeat(7000)}`);
    expect(shown(many)).toEqual([200, 'numhost\n']);
    expect(await recordsetsIn(service, zone, token)).toMatchObject({
      'h0.example.org. A': { records: ['192.0.2.1'] },
    });
  });

  it('may have as many labels as a name can have, 20 times', async () => {
    const hosts = Array.from({ length: 20 }, (_, number) => `${'a.'.repeat(115)}h${number}.example.org`);
    const { text } = await update(`hostname=${hosts}&myip=192.0.2.1`);
    expect(text).toBe('good 192.0.2.1\n'.repeat(20));
  });
});

describe('the path', () => {
  it('takes no other method than GET, which changes something', async () => {
    const url = `${service.url}/nic/update?hostname=head.example.org&myip=192.0.2.1`;
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await fetch(url, { method, headers: basic(token) });
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET']);
    }
    expect(Object.keys(await recordsetsIn(service, zone, token))).not.toContain('head.example.org. A');
  });

  it('ignores unknown parameters, Accept, conditions and idempotency keys', async () => {
    const url = `${service.url}/nic/update?hostname=more.example.org&myip=192.0.2.1&wildcard=ON&mx=a&mx=b&offline=NO`;
    const headers = {
      ...basic(token),
      accept: 'image/png',
      'if-match': '"none"',
      'if-none-match': '*',
      'idempotency-key': 'one',
    };
    for (const line of ['good', 'nochg']) {
      const response = await fetch(url, { headers });
      expect([response.status, await response.text()]).toEqual([200, `${line} 192.0.2.1\n`]);
    }
  });

  it('is refused in the words of the protocol for a malformed Host', async () => {
    const { request } = await import('node:http');
    const text = await new Promise<string>((resolve, reject) => {
      const sent = request(`${service.url}/nic/update`, { headers: { host: 'a b' } }, (response) => {
        response.setEncoding('utf8').on('data', (part) => resolve(`${response.statusCode} ${part}`));
      });
      sent.on('error', reject).end();
    });
    expect(text).toBe('400 911\n');
  });

  it('does not exist unless the option is set, nor in the description of the API', async () => {
    await service.restart({});
    const { status, json } = await update('hostname=a.example.org');
    expect([status, json.type]).toEqual([404, 'not_found']);
    const description = await service.request('GET', '/v2/openapi.json');
    expect(Object.keys(description.json.paths)).not.toContain('/nic/update');
    expect(Object.keys(description.json.components.securitySchemes)).toEqual(['token', 'bearer']);
    await service.restart(BEHIND_A_PROXY);
    const described = await service.request('GET', '/v2/openapi.json');
    expect(described.json.paths['/nic/update'].get.security).toEqual([{ basic: [] }]);
  });
});
