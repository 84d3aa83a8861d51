import type { Socket } from 'node:net';
import { clientNetwork } from '../../addresses/networks.ts';
import type { TurnOwner } from '../../runtime/loop-turns.ts';

/** The project that a token belongs to. */
interface KnownToken {
  readonly token: string | undefined;
  readonly projectId: string;
}

/** By connection, from its last authenticated request. */
const known = new WeakMap<Socket, KnownToken>();

/** Remembers who sent a request on the connection. */
export function noteCaller(socket: Socket, caller: KnownToken): void {
  known.set(socket, caller);
}

/**
 * The owner of the first steps of a request, before its token is checked: the project that last used this token on this
 * connection, or else the client's address.
 */
export function ownerOfHead(socket: Socket, token: string | undefined, address: string): TurnOwner {
  const sender = known.get(socket);
  if (sender !== undefined && sender.token === token)
    return { owner: `head of ${sender.projectId}`, caller: sender.projectId };
  const stranger = `stranger at ${clientNetwork(address)}`;
  return { owner: stranger, caller: stranger };
}
