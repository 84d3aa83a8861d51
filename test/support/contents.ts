/** Contents of zones, sent and read as clients do. */
import type { Answer, TestService } from './service.ts';

export interface ContentsOptions {
  readonly token: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param contents a zone file, or the body of a list */
export function putContents(
  service: TestService,
  zoneId: string,
  contents: string | object,
  { token, query = '', headers = {} }: ContentsOptions,
): Promise<Answer> {
  const type = typeof contents === 'string' ? { 'content-type': 'text/dns' } : {};
  const sent = { token, headers: { ...type, ...headers }, body: contents };
  return service.request('PUT', `/v2/zones/${zoneId}/contents${query}`, sent);
}

export function getContents(
  service: TestService,
  zoneId: string,
  token: string,
  accept = 'application/json',
): Promise<Answer> {
  return service.request('GET', `/v2/zones/${zoneId}/contents`, { token, headers: { accept } });
}
