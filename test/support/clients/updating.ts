/** Keys for the clients of DNS UPDATE, as the pages have them. */
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { documented, withOwn } from '../name-servers/document.ts';
import { type Answer, ask } from '../process.ts';

type UpdateScope = Readonly<Record<string, readonly string[]>>;

/** What a key of a page may do. */
export interface Permissions {
  readonly update: UpdateScope;
}

export interface PageKey {
  readonly name: string;
  /** In base64. */
  readonly secret: string;
}

let keysMade = 0;

function administer(method: string, path: string, body?: unknown): Promise<Answer> {
  const { dns, admin } = inject('cloud');
  return ask(dns, method, path, { token: admin, body });
}

async function made(path: string, body: object): Promise<Answer['json']> {
  const { status, json } = await administer('POST', path, body);
  if (status >= 300) throw new Error(JSON.stringify(json));
  return json;
}

/** Makes a zone, and returns its id. */
export async function makeZone(name: string): Promise<string> {
  return (await made('/v2/zones', { name, email: 'hostmaster@example.org' })).id;
}

export async function makeKey(zoneId: string, permissions: Permissions): Promise<PageKey> {
  keysMade += 1;
  const name = `page-${process.pid}-${keysMade}`;
  const secret = randomBytes(32).toString('base64');
  const resource = { scope: 'ZONE', resource_id: zoneId, permissions };
  await made('/v2/tsigkeys', { name, algorithm: 'hmac-sha256', secret, ...resource });
  return { name, secret };
}

/** The recordsets of a zone without SOA and NS: their records by name and type. */
export async function recordsIn(zoneId: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const { json } = await administer('GET', `/v2/zones/${zoneId}/recordsets?limit=1000`);
  const listed: { name: string; type: string; records: string[] }[] = json.recordsets;
  const own = listed.filter(({ type }) => type !== 'SOA' && type !== 'NS');
  return Object.fromEntries(own.map(({ name, type, records }) => [`${name} ${type}`, records]));
}

/** The permissions that a page shows as the narrowest. */
export function permissionsOf(page: string, section: string, which = 0): Permissions {
  return JSON.parse(documented(section, 'json', which, `docs/clients/${page}.md`));
}

/** The same, one step narrower: other names, or without the first type or action. */
export function narrower({ update }: Permissions): readonly (readonly [string, Permissions])[] {
  return Object.entries(update).map(([key, [first, ...others]]) => {
    const elsewhere = [`elsewhere.${first}`];
    // Without any type there would be all.
    const rest = others.length > 0 ? others : ['SSHFP'];
    return [key, { update: { ...update, [key]: key === 'names' ? elsewhere : rest } }];
  });
}

/** The commands that put a key into the environment. */
export function environmentOf({ name, secret }: PageKey): string {
  const commands = documented('A TSIG key', 'sh', 0, 'docs/clients/README.md');
  return withOwn(commands, { 'shop-updates': name, $SECRET: secret });
}
