import type { Fixture } from './operations.ts';

export interface Service {
  readonly url: string;
  readonly admin: string;
  /** A token of a project that nothing else uses. */
  readonly member: string;
  readonly project: string;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
type Json = any;

async function ask(
  { url }: Service,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const isText = typeof body === 'string';
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-auth-token': token, 'content-type': isText ? 'text/dns' : 'application/json' },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === '' ? {} : JSON.parse(text);
}

/** Takes away what the requests before have made, as far as it is in the way. */
async function clear(service: Service): Promise<void> {
  const { admin, member } = service;
  const { zones } = await ask(service, member, 'GET', '/v2/zones?limit=max');
  for (const { id } of zones) await ask(service, member, 'DELETE', `/v2/zones/${id}`);
  const { blacklists } = await ask(service, admin, 'GET', '/v2/blacklists');
  for (const { id } of blacklists) await ask(service, admin, 'DELETE', `/v2/blacklists/${id}`);
}

/** Makes anew what the requests that follow refer to. */
export async function prepareFixture(service: Service, number: number): Promise<Fixture> {
  await clear(service);
  const { admin, member, project } = service;
  await ask(service, admin, 'PATCH', `/v2/quotas/${project}`, { zones: 30 });
  const make = (path: string, body?: unknown) => ask(service, member, 'POST', path, body);
  const zoneName = `fixture-${number}.malformed.example.`;
  const email = 'hostmaster@example.org';
  const zone = await make('/v2/zones', { name: zoneName, email });
  const spare = await make('/v2/zones', { name: `spare-${number}.malformed.example.`, email });
  const records = { name: `a.${zoneName}`, type: 'A', records: ['192.0.2.1'] };
  const recordset = await make(`/v2/zones/${zone.id}/recordsets`, records);
  const file = `$ORIGIN file-${number}.malformed.example.\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n`;
  const imported = await make('/v2/zones/tasks/imports', file);
  const exported = await make(`/v2/zones/${zone.id}/tasks/export`);
  const transfer = await make(`/v2/zones/${zone.id}/tasks/transfer_requests`, {});
  const pattern = `^malformed-fixture-${number}\\.$`;
  const blacklist = await ask(service, admin, 'POST', '/v2/blacklists', { pattern });
  const made = {
    zone: zone.id,
    spare: spare.id,
    recordset: recordset.id,
    import: imported.id,
    export: exported.id,
    transfer: transfer.id,
    blacklist: blacklist.id,
  };
  for (const [what, id] of Object.entries(made)) {
    if (id === undefined) throw new Error(`The ${what} for the requests was not made.`);
  }
  return { admin, member, project, zoneName, ...made };
}
