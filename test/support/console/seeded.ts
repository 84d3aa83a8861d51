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
