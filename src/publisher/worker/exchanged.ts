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

export const NO_ANSWER = 'The server does not answer.';

const FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens at the address of the server.',
  ENOTFOUND: 'The host name of the server has no address.',
  EAI_AGAIN: 'The host name of the server cannot be looked up now.',
  EHOSTUNREACH: 'The server cannot be reached: there is no route to it.',
  ENETUNREACH: 'The server cannot be reached: there is no route to it.',
};

/** Why nothing can be sent to a server, or received from it. It names no address: owners of zones read it. */
export function systemFault(error: NodeJS.ErrnoException): string {
  return FAULTS[error.code ?? ''] ?? `The server cannot be reached (${error.code ?? error.name}).`;
}
