/** Networks that have sent rightly signed messages, each with the owner of its latest key. */

/** Maximum number of networks that are remembered, in all and for one owner; the least recently proven ones are dropped. */
const MAX_NETWORKS = 10_000;
const MAX_OF_OWNER = 256;

export class ProvenNetworks {
  /** Least recently proven first. */
  readonly #owners = new Map<string, string>();
  /** The networks of each owner, least recently proven first. */
  readonly #networks = new Map<string, Set<string>>();

  /** The owner of the latest key of the network; undefined if none has proven itself. */
  ownerOf(network: string): string | undefined {
    return this.#owners.get(network);
  }

  add(network: string, owner: string): void {
    this.#drop(network);
    const own = this.#networks.get(owner) ?? new Set();
    if (own.size >= MAX_OF_OWNER) this.#drop(first(own));
    if (this.#owners.size >= MAX_NETWORKS) this.#drop(first(this.#owners.keys()));
    this.#owners.set(network, owner);
    this.#networks.set(owner, own.add(network));
  }

  #drop(network: string): void {
    const owner = this.#owners.get(network);
    if (owner === undefined) return;
    this.#owners.delete(network);
    const own = this.#networks.get(owner)!;
    own.delete(network);
    if (own.size === 0) this.#networks.delete(owner);
  }
}

/** The first of some values, of which there is at least one. */
function first(values: Iterable<string>): string {
  const [value] = values;
  return value!;
}
