import type { OptionKind } from './kinds.ts';

export interface Option<T> {
  readonly section: string;
  readonly name: string;
  readonly kind: OptionKind<T>;
  /** In the form used in the file. */
  readonly default: string;
  readonly description: string;
}

/** The values of a table of options. */
export type ValuesOf<Options> = {
  readonly [K in keyof Options]: Options[K] extends Option<infer T> ? T : never;
};

export function option<T>(
  section: string,
  name: string,
  kind: OptionKind<T>,
  byDefault: string,
  description: string,
): Option<T> {
  return { section, name, kind, default: byDefault, description };
}
