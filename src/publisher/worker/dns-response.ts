import type { DecodedMessage } from '../../dns/wire/message.ts';
import type { DnsQuery } from './dns-query.ts';

/**
 * A response, or a sentence that says why there is none. `isProven` is false if the query was signed and the response
 * is not: over UDP, anyone could have sent it.
 */
export type DnsResponse =
  | { readonly message: DecodedMessage; readonly fault: undefined; readonly isProven: boolean }
  | { readonly message: undefined; readonly fault: string };

/** Builds the message with a free id. */
export type Build = (id: number) => DnsQuery;

export const NO_ANSWER = 'The name server does not respond.';

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by the name server.',
  ENOTFOUND: 'The host name of the name server does not resolve.',
  EAI_AGAIN: 'The host name of the name server cannot be resolved right now.',
  EHOSTUNREACH: 'There is no route to the name server.',
  ENETUNREACH: 'There is no route to the name server.',
};

/** Explains why a server cannot be reached. Contains no address, because zone owners see the text. */
export function systemFault(error: NodeJS.ErrnoException): string {
  return FAULTS[error.code ?? ''] ?? `The server cannot be reached (${error.code ?? error.name}).`;
}
