import type { PatternKind } from '../index/traits.ts';
import type { IndexExplanation, IndexSurvey, IndexVerdict, LongCheck } from '../index/verdict.ts';
import type { RunOutcome } from './candidate-runner.ts';

/** Messages from the index to the worker. */
export type RunnerRequest =
  | { readonly kind: 'chunk'; readonly chunk: SharedArrayBuffer }
  /** Added patterns, as triples of key, place of the source, and role; and removed keys. */
  | { readonly kind: 'change'; readonly added: Float64Array; readonly removed: Int32Array }
  /** The source of a pattern to prepare, if it is not kept. */
  | { readonly kind: 'prepare'; readonly key: number; readonly source: string }
  | {
      readonly kind: 'check' | 'note' | 'explain';
      readonly rest: LongCheck;
      readonly fetched: ReadonlyMap<number, string>;
    }
  | {
      readonly kind: 'survey';
      readonly rest: LongCheck;
      readonly max: number;
      readonly fetched: ReadonlyMap<number, string>;
    };

/** Messages from the worker. */
export type RunnerResponse =
  /** A change has been applied, and removed sources are no longer read. */
  | { readonly kind: 'changed' }
  /** The result, or the keys of patterns whose sources must be sent with a new request. */
  | (RunOutcome<IndexVerdict | readonly number[] | IndexExplanation | IndexSurvey> & {
      /** For a check: its charge this time, in units. */
      readonly charged?: number;
    });

/** Encodes the kind of a pattern, and if it is run for every name, as one number. */
export function encodeRole(everywhere: boolean, kind: PatternKind): number {
  return kind * 2 + (everywhere ? 1 : 0);
}

export function decodeRole(role: number): { everywhere: boolean; kind: PatternKind } {
  return { everywhere: role % 2 === 1, kind: (role >> 1) as PatternKind };
}
