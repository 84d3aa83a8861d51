import { eventually } from '../eventually.ts';
import type { ServiceProcess } from '../process.ts';

export interface Tokens {
  readonly member: string;
  readonly reader: string;
}

const ENTRIES = [
  { pattern: '(^|\\.)paypal\\.', description: 'Brands that others pay with' },
  { pattern: '^([A-Za-z0-9_\\-]+\\.)*example\\.com\\.$', description: 'Ours' },
  { pattern: 'bücher', mode: 'warn', description: 'Announced: from next month on' },
  { pattern: 'casino', mode: 'audit' },
];
const ZONES = [
  'shop.example.org.',
  'news.example.org.',
  'bücher.example.',
  'casino-royale.example.',
  'مثال.example.',
  'a.very.long.name.of.a.zone.below.example.net.',
];
const REFUSED = ['my.paypal.example.', 'your.paypal.example.', 'www.example.com.'];

/** Puts something to look at into a service, and makes a token for each role beside that of the administrator. */
export async function seeded(service: ServiceProcess): Promise<Tokens> {
  const { admin: token } = service;
  const tokenFor = async (role: string): Promise<string> => {
    const body = { project_id: 'shop', roles: [role] };
    return (await service.request('POST', '/v2/tokens', { token, body })).json.token;
  };
  const member = await tokenFor('member');
  const reader = await tokenFor('reader');
  for (const body of ENTRIES) await service.request('POST', '/v2/blacklists', { token, body });
  for (const name of [...ZONES, ...REFUSED]) await service.create(name, member);
  return { member, reader };
}

/** Puts records and a share into a zone. @returns its id */
export async function seededZone(service: ServiceProcess, token: string): Promise<string> {
  const found = await service.request('GET', '/v2/zones?name=shop.example.org.', { token });
  const { id } = found.json.zones[0];
  for (const body of [
    { name: 'www.shop.example.org.', type: 'A', records: ['192.0.2.1', '192.0.2.2'] },
    { name: 'bücher.shop.example.org.', type: 'TXT', records: [`"${'long '.repeat(40)}"`], ttl: 300 },
    { name: 'shop.example.org.', type: 'MX', records: ['10 mail.example.org.'], description: 'Our mail' },
  ]) {
    await service.request('POST', `/v2/zones/${id}/recordsets`, { token, body });
  }
  const body = { target_project_id: 'partner' };
  await service.request('POST', `/v2/zones/${id}/shares`, { token, body });
  return id;
}

/** Imports a named list of entries. */
export async function seededList(service: ServiceProcess): Promise<void> {
  const { admin: token } = service;
  const headers = { 'content-type': 'text/plain' };
  const path = '/v2/blacklists/import?format=exact&list=brands';
  const body = 'visa.example\nmastercard.example\n';
  const { json } = await service.request('POST', path, { token, headers, body });
  await eventually(async () => {
    const task = await service.request('GET', `/v2/blacklists/imports/${json.id}`, { token });
    return task.json.status === 'COMPLETE' || undefined;
  });
}
