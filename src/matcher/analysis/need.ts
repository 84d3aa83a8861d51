import { spend } from '../work.ts';
import { type Form, isNothing } from './form.ts';
import { EMPTY_STRING, Limit, product, type Strings, stringsOf } from './strings.ts';

/** Maximum number of literals for one pattern. */
const MAX_LITERALS = 32;
/** In characters: at four bytes each, a literal still fits the table. */
const LONGEST = 60;
/** In units of work, for each literal that is weighed. */
const LITERAL_WORK = 60;
/** Literals that occur in too many names. */
const COMMON = new Set([
  'com.',
  '.com.',
  'net.',
  '.net.',
  'org.',
  '.org.',
  'www.',
  'xn--',
  '.com',
  '.net',
  '.org',
]);

/**
 * Returns literals of which every text that the form matches contains at least one, choosing the most selective.
 * Undefined if there are none worth looking for.
 * @param max maximum number of literals
 */
export function neededBy(form: Form, max = MAX_LITERALS): readonly string[] | undefined {
  const best = needOf(form, new Limit(max));
  if (best === undefined || weigh(best) < 2) return undefined;
  return [...new Set(best.map((literal) => cut(literal)))];
}

function cut(literal: string): string {
  return Array.from(literal).slice(0, LONGEST).join('');
}

function needOf(form: Form, limit: Limit): readonly string[] | undefined {
  switch (form.kind) {
    case 'alternatives':
      return ofAlternatives(form.options, limit);
    case 'sequence':
      return ofSequence(form.items, limit);
    case 'also':
      return needOf(form.body, limit);
    case 'repeat':
      return form.min === 0 ? undefined : ofSequence(copies(form, limit), limit);
    case 'mark':
      return undefined;
    default:
      return stringsOf(form, limit)?.list;
  }
}

function ofAlternatives(options: readonly Form[], limit: Limit): readonly string[] | undefined {
  const all = new Set<string>();
  for (const option of options) {
    const need = needOf(option, limit);
    if (need === undefined) return undefined;
    for (const literal of need) all.add(literal);
  }
  return all.size > limit.maxCount ? undefined : [...all];
}

function ofSequence(items: readonly Form[], limit: Limit): readonly string[] | undefined {
  const runs = new NeededRuns(limit);
  for (const item of items) if (item.kind !== 'mark' && !isNothing(item)) runs.add(item);
  return runs.finish();
}

/** Runs of finite neighbours are multiplied out. Other items between them may have needed literals of their own. */
class NeededRuns {
  private best: readonly string[] | undefined;
  private run: Strings = EMPTY_STRING;
  private readonly limit: Limit;

  constructor(limit: Limit) {
    this.limit = limit;
  }

  add(item: Form): void {
    const strings = item.kind === 'also' ? undefined : stringsOf(item, this.limit);
    const longer = strings && product(this.run, strings, this.limit);
    if (longer === undefined) {
      this.best = this.finish();
      if (strings === undefined) this.best = better(this.best, needOf(item, this.limit));
    }
    this.run = longer ?? strings ?? EMPTY_STRING;
  }

  finish(): readonly string[] | undefined {
    return better(this.best, this.run.list);
  }
}

/**
 * Copies of the body of a repeat that occurs at least once: several if the body is finite, which gives longer literals.
 */
function copies(form: Form & { kind: 'repeat' }, limit: Limit): readonly Form[] {
  const times = stringsOf(form.body, limit) === undefined ? 1 : Math.min(form.min, 4);
  return Array.from({ length: times }, () => form.body);
}

function better(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return weigh(other) > weigh(one) ? other : one;
}

function weigh(literals: readonly string[]): number {
  spend(literals.length * LITERAL_WORK);
  let least = literals.length === 0 ? 1000 : Infinity;
  for (const literal of literals) least = Math.min(least, COMMON.has(literal) ? 1.5 : weighOne(literal));
  return least - literals.length / MAX_LITERALS;
}

function weighOne(literal: string): number {
  let dots = 0;
  for (const character of literal) if (character === '.') dots++;
  return literal.length - dots * 0.75;
}
