import { clientNetwork } from '../../addresses/networks.ts';

/** How long a client stays known after its last valid token, in milliseconds. */
const REMEMBERED_MS = 900_000;
/** Maximum number of known clients; the one seen least recently is forgotten first. */
const MAX_CLIENTS = 10_000;

/** The addresses that recently presented a valid token. */
export class KnownAddresses {
  readonly #until = new Map<string, number>();

  /** Records that a valid token came from the address. */
  note(address: string): void {
    const client = clientNetwork(address);
    this.#until.delete(client);
    this.#until.set(client, performance.now() + REMEMBERED_MS);
    if (this.#until.size > MAX_CLIENTS) this.#until.delete(this.#until.keys().next().value!);
  }

  has(address: string): boolean {
    return (this.#until.get(clientNetwork(address)) ?? 0) > performance.now();
  }
}
