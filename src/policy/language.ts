/**
 * The rule language of oslo.policy, parsed completely at startup. oslo.policy logs a syntax error and then denies every
 * request; here an error throws.
 */
import { type PolicyExpression, parseCheck } from './expressions.ts';
import { PolicyError, quoted } from './policy-error.ts';

/** A rule as written: in the rule language, or in the old form, a list (or) of lists (and) of checks. */
export type RuleSource = string | readonly (string | readonly string[])[];

const MAX_RULE_LENGTH = 10_000;
const MAX_NESTING = 50;

const ALWAYS: PolicyExpression = { kind: 'constant', value: true };

interface PolicyToken {
  readonly kind: '(' | ')' | 'and' | 'or' | 'not' | 'check';
  readonly text: string;
}

const KEYWORDS: readonly string[] = ['and', 'or', 'not'];

function wordToken(word: string): PolicyToken {
  const lowered = word.toLowerCase();
  return { kind: KEYWORDS.includes(lowered) ? (lowered as PolicyToken['kind']) : 'check', text: word };
}

/** Splits a rule into tokens. A parenthesis counts only at either end of a word, since `%(key)s` contains some, too. */
function tokensOf(text: string): PolicyToken[] {
  return text.split(/\s+/).flatMap((part) => {
    const [, opening, word, closing] = /^(\(*)(.*?)(\)*)$/s.exec(part)!;
    return [
      ...Array.from(opening!, (paren): PolicyToken => ({ kind: '(', text: paren })),
      ...(word === '' ? [] : [wordToken(word!)]),
      ...Array.from(closing!, (paren): PolicyToken => ({ kind: ')', text: paren })),
    ];
  });
}

/** A recursive-descent parser: `or` binds loosest, then `and`, then `not`. */
class Parser {
  #position = 0;
  #nesting = 0;

  readonly #tokens: readonly PolicyToken[];
  readonly #where: string;

  constructor(tokens: readonly PolicyToken[], where: string) {
    this.#tokens = tokens;
    this.#where = where;
  }

  whole(): PolicyExpression {
    const expression = this.#chain('or');
    if (this.#position < this.#tokens.length) throw this.#unexpected('"and" or "or"');
    return expression;
  }

  #chain(joint: 'and' | 'or'): PolicyExpression {
    const items: PolicyExpression[] = [];
    do {
      items.push(joint === 'or' ? this.#chain('and') : this.#operand());
    } while (this.#take(joint));
    return items.length === 1 ? items[0]! : { kind: joint, items };
  }

  #operand(): PolicyExpression {
    this.#nesting += 1;
    if (this.#nesting > MAX_NESTING) {
      throw new PolicyError(
        this.#where,
        `is nested deeper than ${MAX_NESTING} levels: split it into several rules.`,
      );
    }
    const expression = this.#unit();
    this.#nesting -= 1;
    return expression;
  }

  #unit(): PolicyExpression {
    if (this.#take('not')) return { kind: 'not', body: this.#operand() };
    if (this.#take('(')) {
      const inner = this.#chain('or');
      if (!this.#take(')')) throw this.#unexpected('")"');
      return inner;
    }
    const token = this.#tokens[this.#position];
    if (token?.kind !== 'check') throw this.#unexpected('a check');
    this.#position += 1;
    return parseCheck(token.text, this.#where);
  }

  #take(kind: PolicyToken['kind']): boolean {
    if (this.#tokens[this.#position]?.kind !== kind) return false;
    this.#position += 1;
    return true;
  }

  #unexpected(wanted: string): PolicyError {
    const token = this.#tokens[this.#position];
    const found = token === undefined ? 'the rule ends' : `there is ${quoted(token.text)}`;
    return new PolicyError(this.#where, `${found} where ${wanted} is expected.`);
  }
}

function parseText(text: string, where: string): PolicyExpression {
  if (text === '') return ALWAYS;
  if (text.length > MAX_RULE_LENGTH) {
    throw new PolicyError(
      where,
      `is longer than ${MAX_RULE_LENGTH} characters: split it into several rules.`,
    );
  }
  if (text.trim() === '')
    throw new PolicyError(where, 'contains only white space: write "" or "@" to allow everyone.');
  return new Parser(tokensOf(text.trim()), where).whole();
}

function parseList(list: Exclude<RuleSource, string>, where: string): PolicyExpression {
  if (list.length === 0) return ALWAYS;
  const items = list
    .map((inner) => (typeof inner === 'string' ? [inner] : inner))
    .filter((inner) => inner.length > 0)
    .map(
      (inner): PolicyExpression => ({ kind: 'and', items: inner.map((check) => parseListed(check, where)) }),
    );
  return { kind: 'or', items };
}

function parseListed(check: string, where: string): PolicyExpression {
  if (/\s/.test(check)) {
    throw new PolicyError(
      where,
      `an entry of a list is one check, and ${quoted(check)} contains white space.`,
    );
  }
  return parseCheck(check, where);
}

/**
 * @param where prefix of every error message
 * @throws PolicyError
 */
export function parseRule(source: RuleSource, where: string): PolicyExpression {
  return typeof source === 'string' ? parseText(source, where) : parseList(source, where);
}
