/** Sets of changes, sent as a client sends them. */
import type { Answer, TestService } from './service.ts';

export interface Change {
  readonly action: string;
  readonly name: string;
  readonly type?: string;
  readonly ttl?: number | null;
  readonly records?: readonly string[];
  readonly description?: string | null;
}

export interface SetOptions {
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Members of the body beside the changes. */
  readonly with?: Readonly<Record<string, unknown>>;
}

export function sendSet(
  service: TestService,
  zoneId: string,
  changes: readonly unknown[],
  { token, headers = {}, with: members = {} }: SetOptions,
): Promise<Answer> {
  return service.request('POST', `/v2/zones/${zoneId}/changes`, {
    token,
    headers,
    body: { changes, ...members },
  });
}

/** The recordsets of a zone by name and type, without those that the service manages. */
export async function recordsetsIn(
  service: TestService,
  zoneId: string,
  token: string,
): Promise<Readonly<Record<string, { ttl: number | null; records: string[]; description: string | null }>>> {
  const { json } = await service.request('GET', `/v2/zones/${zoneId}/recordsets?limit=max`, { token });
  const [apex] = json.recordsets;
  const own = json.recordsets.filter(
    ({ name, type }: { name: string; type: string }) =>
      type !== 'SOA' && !(type === 'NS' && name === apex.zone_name),
  );
  const byKey = own.map(({ name, type, ttl, records, description }: Record<string, never>) => [
    `${name} ${type}`,
    { ttl, records, description },
  ]);
  return Object.fromEntries(byKey.sort());
}
