import type { DecodedMessage } from '../../dns/wire/message.ts';
import type { AskedMessage } from './asked-message.ts';

/**
 * The answer to a message, or why there is none, as a sentence. `isProven` is false for one that lacks the signature which was
 * asked for: by UDP, anybody could have sent it.
 */
export type Exchanged =
  | { readonly message: DecodedMessage; readonly fault: undefined; readonly isProven: boolean }
  | { readonly message: undefined; readonly fault: string };

/** Makes the message with an id that is free. */
export type Build = (id: number) => AskedMessage;

export const NO_ANSWER = 'The name server does not respond.';

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused by the name server.',
  ENOTFOUND: 'The host name of the name server does not resolve.',
  EAI_AGAIN: 'The host name of the name server cannot be resolved right now.',
  EHOSTUNREACH: 'There is no route to the name server.',
  ENETUNREACH: 'There is no route to the name server.',
};

/** Why nothing can be sent to a server, or received from it. It names no address: owners of zones read it. */
export function systemFault(error: NodeJS.ErrnoException): string {
  return FAULTS[error.code ?? ''] ?? `The server cannot be reached (${error.code ?? error.name}).`;
}
