import type { Kind } from '../index/traits.ts';
import type { Explanation, LongCheck, Survey, Verdict } from '../index/verdict.ts';
import type { Outcome } from './roster.ts';

/** What the thread of the index tells the worker. */
export type Request =
  | { readonly kind: 'chunk'; readonly chunk: SharedArrayBuffer }
  /** Patterns that have come, in threes: key, place of the source, a role; and keys that have gone. */
  | { readonly kind: 'change'; readonly added: Float64Array; readonly removed: Int32Array }
  /** The source of a pattern that is kept nowhere, to make it ready. */
  | { readonly kind: 'prepare'; readonly key: number; readonly source: string }
  | {
      readonly kind: 'check' | 'note' | 'explain';
      readonly rest: LongCheck;
      readonly fetched: ReadonlyMap<number, string>;
    }
  | {
      readonly kind: 'survey';
      readonly rest: LongCheck;
      readonly most: number;
      readonly fetched: ReadonlyMap<number, string>;
    };

/** What the worker answers. */
export type Answer =
  /** A change has been taken in: what has gone is not read any more. */
  | { readonly kind: 'changed' }
  /** The result; or the check has to be asked again, with the sources of these. */
  | (Outcome<Verdict | readonly number[] | Explanation | Survey> & {
      /** Of a check: what it was charged this time, in units. */
      readonly charged?: number;
    });

/** Whether a pattern is run for every name, and its kind, as one number. */
export function encodeRole(everywhere: boolean, kind: Kind): number {
  return kind * 2 + (everywhere ? 1 : 0);
}

export function decodeRole(role: number): { everywhere: boolean; kind: Kind } {
  return { everywhere: role % 2 === 1, kind: (role >> 1) as Kind };
}
