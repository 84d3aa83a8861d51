import type { Answer, TestService } from './service.ts';

export const DYNDNS_ON = { ZONEWARDEN_SERVICE_API__DYNDNS: 'true' };

/** The header with a password. */
export function basic(password: string, user = 'router'): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** Sends an update as a client of dyndns2 does. @param query as it stands in the URL */
export function sendUpdate(
  service: TestService,
  token: string,
  query: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<Answer> {
  return service.request('GET', `/nic/update?${query}`, {
    headers: { accept: undefined, 'content-type': undefined, ...basic(token), ...headers },
  });
}
