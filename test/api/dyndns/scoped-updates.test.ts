/** dyndns2 with tokens that have a scope. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DYNDNS_ON, sendUpdate } from '../../support/dyndns.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let member: string;
let zone: string;
beforeAll(async () => {
  service = await startTestService(DYNDNS_ON);
  member = await service.token('shop', 'member');
  zone = await makeZone('example.org.');
  await makeZone('sub.example.org.');
  await makeZone('example.net.');
});
afterAll(() => service.remove());

async function makeZone(name: string): Promise<string> {
  const body = { name, email: 'a@example.org' };
  return (await service.request('POST', '/v2/zones', { token: member, body })).json.id;
}

async function scoped(scope: object): Promise<string> {
  const { json } = await service.request('POST', '/v2/tokens', { token: member, body: { scope } });
  return json.token;
}

async function answered(token: string, hostname: string, myip = '192.0.2.1') {
  const { status, text } = await sendUpdate(service, token, `hostname=${hostname}&myip=${myip}`);
  return [status, text];
}

it('the scope decides which zones, names, types and actions there are', async () => {
  const token = await scoped({ zones: [zone], names: ['home'], types: ['A'], actions: ['create'] });
  expect(await answered(token, 'other.example.org')).toEqual([200, '911\n']);
  expect(await answered(token, 'home.example.org', '2001:db8::1')).toEqual([200, '911\n']);
  expect(await answered(token, 'home.example.net')).toEqual([200, 'nohost\n']);
  // The zone below is not the token's, and hides the name from the zone above.
  expect(await answered(token, 'home.sub.example.org')).toEqual([200, '911\n']);
  expect(await answered(token, 'home.example.org')).toEqual([200, 'good 192.0.2.1\n']);
  expect(await answered(token, 'home.example.org')).toEqual([200, 'nochg 192.0.2.1\n']);
  expect(await answered(token, 'home.example.org', '192.0.2.2')).toEqual([200, '911\n']);
});

it('a name outside the scope does not show whether it has the address', async () => {
  expect(await answered(member, 'hidden.example.org')).toEqual([200, 'good 192.0.2.1\n']);
  const token = await scoped({ zones: [zone], names: ['home'] });
  for (const address of ['192.0.2.1', '192.0.2.2'])
    expect(await answered(token, 'hidden.example.org', address)).toEqual([200, '911\n']);
});

it('a token that may not write, or not from this network, is refused', async () => {
  expect(await answered(await scoped({ actions: ['read'] }), 'home.example.org')).toEqual([200, '911\n']);
  const elsewhere = await scoped({ networks: ['192.0.2.0/24'] });
  expect(await answered(elsewhere, 'home.example.org')).toEqual([401, 'badauth\n']);
});

it('a GET that writes counts against the rate', async () => {
  const token = await scoped({ rate: { writes: 1, per_seconds: 3600 } });
  expect((await answered(token, 'rate.example.org'))[0]).toBe(200);
  const { status, text, headers } = await sendUpdate(service, token, 'hostname=rate.example.org');
  expect([status, text]).toEqual([429, 'abuse\n']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});
