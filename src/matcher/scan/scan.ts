import { BoundedCache } from '../index/kept.ts';
import { LocalIndex } from '../local-index.ts';
import { StepBudget } from '../run/budget.ts';
import { spanOf } from '../run/span.ts';
import { encodeText } from '../run/text.ts';
import { parsePattern } from '../syntax/parse.ts';
import {
  MATCH,
  MISS,
  type ScanLocation,
  type ScanRequest,
  type ScanResponse,
  UNDECIDED,
} from './messages.ts';

/** Time after which a response contains the results so far, in milliseconds. */
const SLICE = 20;
/** Maximum number of steps to locate one match. */
const MAX_STEPS = 200_000;
/** Maximum number of patterns kept compiled. */
const MAX_PATTERNS = 8;
const KEY = 1;

/** Matches patterns against names one at a time. A response takes little more than a slice of time. */
export class Scan {
  readonly #indexes = new BoundedCache<string, LocalIndex>(MAX_PATTERNS);
  readonly #now: () => number;

  /** @param now in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  answerTo(request: ScanRequest): ScanResponse {
    const until = this.#now() + SLICE;
    if (request.kind === 'locate') {
      return { kind: 'located', places: this.#locateAll(request.patterns, request.forms, until) };
    }
    return { kind: 'scanned', verdicts: this.#scanAll(request.pattern, request.names, until) };
  }

  #scanAll(pattern: string, names: readonly (readonly string[])[], until: number): Uint8Array {
    const index = this.#indexOf(pattern);
    const verdicts = new Uint8Array(names.length);
    let done = 0;
    do {
      const { kind } = index.check(names[done]!);
      verdicts[done++] = kind === 'undecided' ? UNDECIDED : kind === 'blocked' ? MATCH : MISS;
    } while (done < names.length && this.#now() < until);
    return verdicts.slice(0, done);
  }

  /** An index that gives the verdict a create would get if this were the only pattern. */
  #indexOf(pattern: string): LocalIndex {
    const known = this.#indexes.find(pattern);
    if (known !== undefined) return known;
    const index = new LocalIndex();
    index.add(KEY, pattern);
    this.#indexes.keep(pattern, index, 1);
    return index;
  }

  #locateAll(patterns: readonly string[], forms: readonly string[], until: number): (ScanLocation | null)[] {
    const texts = forms.map(encodeText);
    const places: (ScanLocation | null)[] = [];
    do {
      places.push(placeOf(patterns[places.length]!, texts));
    } while (places.length < patterns.length && this.#now() < until);
    return places;
  }
}

/** In the first form that matches. */
function placeOf(source: string, texts: readonly Uint32Array[]): ScanLocation | null {
  const pattern = parsePattern(source);
  const budget = new StepBudget(MAX_STEPS);
  for (const [form, text] of texts.entries()) {
    const found = spanOf(pattern, text, budget);
    if (found === 'exhausted') return null;
    if (found !== 'miss') return { form, ...found };
  }
  return null;
}
