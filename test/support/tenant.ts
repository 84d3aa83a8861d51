import type { Answer, TestService } from './service.ts';

export interface TestZone {
  readonly id: string;
  readonly name: string;
  readonly serial: number;
  readonly version: number;
}

export interface NewRecordset {
  readonly name: string;
  readonly type: string;
  readonly records: readonly unknown[];
  readonly ttl?: unknown;
  readonly description?: unknown;
}

/** One project of a service, with a token and what it asks for again and again. */
export interface Tenant {
  readonly projectId: string;
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** Makes a zone, of this name or of one that is free. */
  makeZone(name?: string): Promise<TestZone>;
  /** The zone as it stands now. */
  look(zone: TestZone): Promise<TestZone>;
  create(zone: TestZone, recordset: NewRecordset): Promise<Answer>;
  /** The names of a list's recordsets, on one page, without the SOA and NS of any apex. */
  list(path: string): Promise<string[]>;
}

let zonesMade = 0;

/** A tenant with these roles, or as a member. */
export async function tenantOf(service: TestService, projectId: string, ...roles: string[]): Promise<Tenant> {
  const token = await service.token(projectId, ...(roles.length > 0 ? roles : ['member']));
  const ask: Tenant['ask'] = (method, path, body, headers = {}) =>
    service.request(method, path, { token, body, headers });
  const look = async ({ id }: { id: string }) => (await ask('GET', `/v2/zones/${id}`)).json as TestZone;
  return {
    projectId,
    ask,
    look,
    async makeZone(name = `zone-${++zonesMade}.example.org.`) {
      const made = await ask('POST', '/v2/zones', { name, email: 'hostmaster@example.org' });
      if (made.status !== 202) throw new Error(made.text);
      return look(made.json);
    },
    create: (zone, recordset) => ask('POST', `/v2/zones/${zone.id}/recordsets`, recordset),
    async list(path) {
      const { json } = await ask('GET', path);
      const recordsets: { name: string; type: string; zone_name: string }[] = json.recordsets;
      const own = recordsets.filter(
        ({ type, name, zone_name }) => type !== 'SOA' && !(type === 'NS' && name === zone_name),
      );
      return own.map(({ name }) => name);
    },
  };
}
