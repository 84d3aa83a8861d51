import type { TsigKey } from './tsig-key.ts';

export interface TsigKeyReads {
  /** Every key. There are few. */
  all(): Promise<readonly TsigKey[]>;
}
