import type { Answer, TestService } from './service.ts';

export const SOA = '@ 3600 IN SOA ns1.elsewhere.example. hostmaster.example.org. 7 3600 600 86400 300\n';

/** A zone file with an SOA and NS, and these lines from line 4 on. */
export function zoneFile(name: string, ...lines: readonly string[]): string {
  return [`$ORIGIN ${name}`, SOA.trim(), '@ 3600 IN NS ns1.elsewhere.example.', ...lines, ''].join('\n');
}

/** Sends a zone file to be imported. */
export function importFile(
  service: TestService,
  token: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return service.request('POST', '/v2/zones/tasks/imports', {
    token,
    body,
    headers: { 'content-type': 'text/dns', ...headers },
  });
}

/** Exports a zone and fetches the file. */
export async function exportFile(service: TestService, token: string, zoneId: string): Promise<Answer> {
  const begun = await service.request('POST', `/v2/zones/${zoneId}/tasks/export`, { token });
  if (begun.status !== 202) return begun;
  const { pathname } = new URL(begun.json.links.self);
  return service.request('GET', `${pathname}/export`, { token, headers: { accept: 'text/dns' } });
}

/** The lines of a zone file without those of the SOA and the NS at the apex, which the service keeps itself. */
export function unmanaged(file: string): readonly string[] {
  const [origin = ''] = file.split('\n');
  const apex = origin.replace('$ORIGIN ', '');
  return file.split('\n').filter((line) => {
    const [name, ...rest] = line.split(' ');
    const type = rest[rest.indexOf('IN') + 1];
    return !(name === apex && (type === 'SOA' || type === 'NS'));
  });
}
