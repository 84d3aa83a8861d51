export type Verdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'blocked'; readonly key: number }
  | { readonly kind: 'undecided'; readonly keys: readonly number[] };
export interface LongCheck {
  readonly forms: readonly string[];
}
export interface Explanation {
  readonly matching: readonly number[];
  readonly undecided: readonly number[];
}
// TEMPORARY stand-in until the engine lands
export class PatternIndex {
  #m = new Map<number, RegExp>();
  get size() {
    return this.#m.size;
  }
  add(key: number, source: string) {
    this.#m.set(key, new RegExp(source.replace('(?i)', ''), 'i'));
  }
  remove(key: number, _s: string) {
    this.#m.delete(key);
  }
  check(forms: readonly string[]): Verdict | { readonly kind: 'long'; readonly rest: LongCheck } {
    for (const [k, r] of this.#m) if (forms.some((f) => r.test(f))) return { kind: 'blocked', key: k };
    return { kind: 'free' };
  }
  explain(forms: readonly string[]): Explanation {
    return {
      matching: [...this.#m].filter(([, r]) => forms.some((f) => r.test(f))).map(([k]) => k),
      undecided: [],
    };
  }
}
export function finishCheck(_rest: LongCheck): Verdict {
  return { kind: 'free' };
}
