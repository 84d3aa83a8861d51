import { PatternError } from './error.ts';
import { parseEscape } from './escapes.ts';
import { parseGroup } from './groups.ts';
import type { ClassMember, RawItem, RawSequence } from './raw.ts';
import { distinctMembers, FLAG, itemKey } from './raw.ts';
import { parseRepeat } from './repeats.ts';
import { parseSet } from './sets.ts';
import type { ParseState, PatternReader } from './state.ts';
import type { Tokens } from './tokens.ts';

/** 500 nested groups or 750 nested conditionals. CPython itself fails at 495, or reads as many as fit its stack. */
const MAX_DEPTH = 1500;

const WHITE_SPACE = ' \t\n\r\v\f';

function skipToLineEnd(tokens: Tokens): void {
  for (;;) {
    const token = tokens.take();
    if (token === '' || token === '\n') return;
  }
}

/** True if all options begin with equal items. */
function beginAlike(options: readonly RawSequence[]): boolean {
  const first = options[0]?.items[0];
  if (first === undefined || !options.every(({ items: [item] }) => item?.op === first.op)) return false;
  const key = itemKey(first);
  return (
    key !== undefined && options.every(({ items: [item] }) => item !== undefined && itemKey(item) === key)
  );
}

/** Removes the items with which all options begin, and returns them. */
function takeCommonPrefix(options: readonly RawSequence[]): RawItem[] {
  const prefix: RawItem[] = [];
  while (beginAlike(options)) {
    const [item] = options.map((option) => option.items.shift());
    if (item !== undefined) prefix.push(item);
  }
  return prefix;
}

/** If each option is one character or one set that is not negated: the members of their union. Otherwise undefined. */
function asSet(options: readonly RawSequence[]): ClassMember[] | undefined {
  const members: ClassMember[] = [];
  for (const { items } of options) {
    const [item] = items;
    if (items.length !== 1 || item === undefined) return undefined;
    if (item.op === 'literal') members.push(item);
    else if (item.op === 'in' && !item.negated) members.push(...item.members);
    else return undefined;
  }
  return distinctMembers(members);
}

const LITERALS = Array.from({ length: 128 }, (_, code): RawItem => ({ op: 'literal', code }));

function literalItem(code: number): RawItem {
  return LITERALS[code] ?? { op: 'literal', code };
}

function isPlainGroup(item: RawItem): item is RawItem & { op: 'subpattern' } {
  return item.op === 'subpattern' && item.group === undefined && item.add === 0 && item.remove === 0;
}

function ungrouped(item: RawItem): readonly RawItem[] {
  return isPlainGroup(item) ? item.body.items : [item];
}

/** Parses a pattern into CPython's tree. */
export class Reader implements PatternReader {
  readonly tokens: Tokens;
  readonly state: ParseState;

  constructor(tokens: Tokens, state: ParseState) {
    this.tokens = tokens;
    this.state = state;
  }

  /** Reads options separated by `|`. */
  parseOptions(verboseAtStart: boolean, depth: number): RawSequence {
    if (depth > MAX_DEPTH) throw new PatternError('groups are nested too deeply', this.tokens.position);
    const options: RawSequence[] = [];
    let verbose = verboseAtStart;
    do {
      options.push(this.parseItems(verbose, depth, depth === 0 && options.length === 0));
      if (depth === 0) verbose = (this.state.flags & FLAG.verbose) !== 0;
    } while (this.tokens.accept('|'));
    const [only] = options;
    if (options.length === 1 && only !== undefined) return only;
    const items = takeCommonPrefix(options);
    const members = asSet(options);
    items.push(members === undefined ? { op: 'branch', options } : { op: 'in', negated: false, members });
    return { items };
  }

  /** Reads items up to the next `|` or `)`. */
  parseItems(verboseAtStart: boolean, depth: number, first: boolean): RawSequence {
    if (depth > MAX_DEPTH) throw new PatternError('groups are nested too deeply', this.tokens.position);
    const { tokens } = this;
    const items: RawItem[] = [];
    let verbose = verboseAtStart;
    while (tokens.next !== '' && tokens.next !== '|' && tokens.next !== ')') {
      const token = tokens.take();
      if (verbose && this.skipSpace(token)) continue;
      if (token === '(') verbose = this.parseGroup(items, verbose, depth, first);
      else this.parseItem(items, token);
    }
    return { items: items.some(isPlainGroup) ? items.flatMap(ungrouped) : items };
  }

  private skipSpace(token: string): boolean {
    if (token === '#') skipToLineEnd(this.tokens);
    return token === '#' || WHITE_SPACE.includes(token);
  }

  /** Returns true if the following text is verbose. */
  private parseGroup(items: RawItem[], verbose: boolean, depth: number, maybeFirst: boolean): boolean {
    const first = maybeFirst && items.length === 0;
    const item = parseGroup(this, { start: this.tokens.position - 1, verbose, depth, first });
    if (item !== undefined) items.push(item);
    return item === undefined && first ? (this.state.flags & FLAG.verbose) !== 0 : verbose;
  }

  private parseItem(items: RawItem[], token: string): void {
    switch (token) {
      case '[':
        items.push(parseSet(this.tokens));
        break;
      case '*':
      case '+':
      case '?':
      case '{':
        parseRepeat(this.tokens, items, token);
        break;
      case '.':
        items.push({ op: 'any' });
        break;
      case '^':
        items.push({ op: 'at', at: 'beginning' });
        break;
      case '$':
        items.push({ op: 'at', at: 'end' });
        break;
      default:
        items.push(this.parseCharacter(token));
    }
  }

  private parseCharacter(token: string): RawItem {
    if (token.startsWith('\\')) return parseEscape(this.tokens, this.state, token);
    return literalItem(token.codePointAt(0) as number);
  }
}
