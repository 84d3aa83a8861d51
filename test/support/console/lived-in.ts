/** A service that has been in use for a while, for pictures: what people would have in it, made by hand or read from a real list. */

import { readFileSync } from 'node:fs';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { eventually } from '../eventually.ts';
import type { ScriptedServer } from '../name-server.ts';
import { commandsOn, type ServiceProcess } from '../process.ts';
import { inStoreOf } from '../store.ts';

/** The public suffix list, where `PUBLIC_SUFFIX_LIST` names a copy of it; else a part. */
const SUFFIXES = process.env.PUBLIC_SUFFIX_LIST;
const SOME_SUFFIXES = 'com\nnet\norg\nno\nde\nco.uk\norg.uk\n*.ck\n!www.ck\nbergen.no\noslo.no\n';

const ENTRIES = [
  { pattern: 'münchen', description: 'Names of the city, by its own request' },
  { pattern: 'stadtwerke', description: 'Municipal utilities: from January on', mode: 'warn' },
  { pattern: '^([A-Za-z0-9_\\-]+\\.)*corp\\.example\\.net\\.$', description: 'Ours' },
  { pattern: '(^|\\.)(login|secure)-[a-z0-9-]+\\.', description: 'Looks like a page to log in' },
  { pattern: 'lottery', description: 'To be looked at', mode: 'audit' },
] as const;

/** How many zones each project may have, and what it has. */
const PROJECTS: Readonly<Record<string, readonly [limit: number, names: readonly string[]]>> = {
  'nordlys-hosting': [
    12,
    [
      'bakery-bergen.no',
      'bergen-climbing.no',
      'fjordbooks.no',
      'blåbær.no',
      'harbour-museum.no',
      'kaffe-bergen.no',
      'nordlys-hosting.no',
      'ski-school-voss.no',
      'tram-bergen.no',
      'weather-bergen.no',
      'yoga-oslo.no',
    ],
  ],
  university: [
    20,
    ['physics-lab.edu.example.net', 'summer-school.org', 'library-search.org', 'alumni-net.org'],
  ],
  'web-agency': [
    10,
    [
      'lottery-charity.org',
      'garden-shed.co.uk',
      'old-mill-inn.co.uk',
      'riverside-cinema.co.uk',
      'teapot.org.uk',
    ],
  ],
  'city-web': [10, ['bergen-events.no', 'marathon-bergen.no', 'open-data-days.org']],
};
/** Those that no name server has yet. */
const WAITING = ['tram-bergen.no.', 'open-data-days.org.'];
const REFUSED = [
  'login-accounts.org',
  'secure-mail-update.com',
  'münchen-tickets.de',
  'co.uk',
  'vpn.corp.example.net',
];

/** How often each entry has refused, hour by hour, up to now: a day with a morning, and an attempt in the night. */
const DAY = [1, 0, 2, 14, 31, 6, 0, 1, 3, 8, 12, 9, 7, 11, 10, 12, 8, 6, 5, 3, 2, 4, 1];

async function created(service: ServiceProcess, project: string): Promise<void> {
  const [zones, names] = PROJECTS[project]!;
  const token = service.admin;
  await service.request('PATCH', `/v2/quotas/${project}`, { token, body: { zones } });
  const body = { project_id: project, roles: ['member'] };
  const { json } = await service.request('POST', '/v2/tokens', { token, body });
  for (const name of names) await service.create(`${name}.`, json.token);
  if (project === 'web-agency') for (const name of REFUSED) await service.create(`${name}.`, json.token);
}

async function importSuffixes({ admin: token, request }: ServiceProcess): Promise<void> {
  const body = SUFFIXES === undefined ? SOME_SUFFIXES : readFileSync(SUFFIXES, 'utf8');
  const headers = { 'content-type': 'text/plain' };
  const path = '/v2/blacklists/import?format=psl&list=public-suffixes';
  const { json } = await request('POST', path, { token, headers, body });
  await eventually(async () => {
    const task = await request('GET', `/v2/blacklists/imports/${json.id}`, { token });
    return task.json.status === 'COMPLETE' || undefined;
  });
}

/** The counters of the hours before this one, as the service would have kept them. */
async function countRefusals(service: ServiceProcess, ids: readonly string[]): Promise<void> {
  const now = Date.now();
  const rows = DAY.flatMap((count, place) => {
    const hour = new Date(now - (DAY.length - place) * 3_600_000).toISOString().slice(0, 13);
    return ids.map((id, at) => {
      const total = Math.round(count / 2 ** at);
      return `('${hour} refused.blacklist ${id}', '${hour}', 'refused.blacklist', '${id}', ${total})`;
    });
  });
  await inStoreOf(
    service.dataDir,
    'pragma busy_timeout = 60000',
    `insert into refusals (key, hour, type, blacklist_id, total) values ${rows.join()}`,
  );
}

/** Applies a pool of one server before the service makes zones. */
export async function applyPool(dataDir: string, { port }: ScriptedServer): Promise<void> {
  const pool = `- name: default
  ns_records: [{ hostname: ns1.example.net., priority: 1 }, { hostname: ns2.example.net., priority: 2 }]
  nameservers: [{ host: 127.0.0.1, port: ${port} }]
`;
  const { status, err } = await commandsOn(dataDir)(['pool', 'apply', '-', '--yes'], { input: pool });
  if (status !== 0) throw new Error(err);
}

/** Fills a service, whose name server gets all zones but those that wait. */
export async function livedIn(service: ServiceProcess, server: ScriptedServer): Promise<void> {
  const { admin: token, request } = service;
  const serials = new Map<string, number>();
  server.answer = (name) => {
    const serial = WAITING.includes(name) ? undefined : serials.get(name);
    return serial === undefined ? { rcode: RCODE.REFUSED } : { serial };
  };
  const ids: string[] = [];
  for (const body of ENTRIES) ids.push((await request('POST', '/v2/blacklists', { token, body })).json.id);
  await importSuffixes(service);
  for (const project of Object.keys(PROJECTS)) await created(service, project);
  await countRefusals(service, [ids[3]!, ids[0]!, ids[2]!]);
  await eventually(async () => {
    const headers = { 'x-auth-all-projects': 'true' };
    const { json } = await request('GET', '/v2/zones?limit=200', { token, headers });
    for (const { name, serial } of json.zones) serials.set(name, serial);
    const pending = json.zones.filter(({ status }: { readonly status: string }) => status !== 'ACTIVE');
    return pending.length === WAITING.length || undefined;
  });
}
