import { DomainError } from '../../domain/errors.ts';

/** Counts what an address does in a second. */
export interface AddressCount {
  /** Counts one more; true if that is one too many. */
  isBeyondLimit(address: string): boolean;
}

/** Bounds how many unknown tokens are checked: at once, in a second, and for one address in a second. */
export class Admission {
  readonly #most: { readonly atOnce: number; readonly perSecond: number };
  readonly #byAddress: AddressCount;
  #running = 0;
  #second = 0;
  #begun = 0;

  constructor(most: { readonly atOnce: number; readonly perSecond: number }, byAddress: AddressCount) {
    this.#most = most;
    this.#byAddress = byAddress;
  }

  /** @throws DomainError `too_many_validations` */
  async run<R>(address: string, check: () => Promise<R>): Promise<R> {
    if (!this.#admits(address)) throw new DomainError('too_many_validations');
    this.#begun += 1;
    this.#running += 1;
    try {
      return await check();
    } finally {
      this.#running -= 1;
    }
  }

  #admits(address: string): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#begun = 0;
    }
    // Of what is refused for all, nothing counts against the address.
    if (this.#running >= this.#most.atOnce || this.#begun >= this.#most.perSecond) return false;
    return !this.#byAddress.isBeyondLimit(address);
  }
}
