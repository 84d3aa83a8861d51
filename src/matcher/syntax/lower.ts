import type { AnchorKind, CharSet, Node } from '../ast.ts';
import { complement, EVERYTHING, intersection } from './charset.ts';
import { PatternError } from './error.ts';
import type { Folding } from './fold.ts';
import { isCasedRange, literalNode, setCharacters } from './fold.ts';
import type { GroupWidths, RawItem, RawSequence } from './raw.ts';
import { FLAG, MAX_REPEAT, memberKey, TYPE_FLAGS, widthOf } from './raw.ts';

/** Applies the flags to CPython's tree, in the order of CPython's compiler, so that errors come in that order, too. */

/** Names have at most 254 characters, so more than 255 occurrences are equivalent to 255. */
const MANY = 255;
const MAX_CODE = 0xffff_ffff;
const NOT_NEWLINE: CharSet = complement([10, 10]);

const ANCHORS = {
  beginning: 'textStart',
  beginningString: 'textStart',
  end: 'textEndOrFinalNewline',
  endString: 'textEnd',
  boundary: 'wordBoundary',
  notBoundary: 'notWordBoundary',
} as const;

const REPEAT_NAMES = { greedy: 'MAX_REPEAT', lazy: 'MIN_REPEAT', possessive: 'POSSESSIVE_REPEAT' } as const;

function anchorKind(item: RawItem & { op: 'at' }, flags: number): AnchorKind {
  if ((flags & FLAG.multiline) !== 0 && item.at === 'beginning') return 'lineStart';
  if ((flags & FLAG.multiline) !== 0 && item.at === 'end') return 'lineEnd';
  return ANCHORS[item.at];
}

export function isAscii(flags: number): boolean {
  return (flags & FLAG.unicode) === 0;
}

function foldingOf(flags: number): Folding {
  if ((flags & FLAG.ignoreCase) === 0) return 'none';
  return isAscii(flags) ? 'ascii' : 'unicode';
}

function combined(flags: number, add: number, remove: number): number {
  const kept = (add & TYPE_FLAGS) === 0 ? flags : flags & ~TYPE_FLAGS;
  return (kept | add) & ~remove;
}

export function sequenceOf(items: readonly Node[]): Node {
  const [only] = items;
  if (only === undefined) return { kind: 'empty' };
  return items.length === 1 ? only : { kind: 'sequence', items };
}

interface Filter {
  readonly item: RawItem;
  readonly chars: CharSet;
}

/** The item with which a match begins, inside any groups, and the flags that apply to it. */
function firstItem(sequence: RawSequence, flags: number): { item: RawItem; flags: number } | undefined {
  const [item] = sequence.items;
  if (item?.op !== 'subpattern') return item && { item, flags };
  return firstItem(item.body, combined(flags, item.add, item.remove));
}

/**
 * CPython skips to the first character that can begin a match. There it reads classes such as `\w` with the flags of
 * the pattern, not of the enclosing group, so `(?a:\W)` never finds é. This does likewise.
 */
function searchFilter(root: RawSequence, flags: number, groups: GroupWidths): Filter | undefined {
  const first = firstItem(root, flags);
  if (first?.item.op !== 'in' || isAscii(first.flags) === isAscii(flags)) return undefined;
  if (widthOf(root, groups).min === 0) return undefined;
  const { members, negated } = first.item;
  if (!members.some((member) => member.op === 'category')) return undefined;
  const folding = foldingOf(first.flags);
  const plain = setCharacters(members, negated, 'none', isAscii(flags), members.map(memberKey).join(' '));
  const cased = members.some((member) => {
    if (member.op === 'category') return false;
    const [lo, hi] = member.op === 'literal' ? [member.code, member.code] : [member.lo, member.hi];
    return isCasedRange(lo, hi, folding) || (member.op === 'range' && folding !== 'none' && hi > 0xffff);
  });
  return cased ? undefined : { item: first.item, chars: plain };
}

class Lowering {
  private readonly groups: GroupWidths;
  private readonly filter: Filter | undefined;

  constructor(groups: GroupWidths, filter: Filter | undefined) {
    this.groups = groups;
    this.filter = filter;
  }

  sequence(sequence: RawSequence, flags: number): Node {
    const nodes: Node[] = [];
    for (const item of sequence.items) nodes.push(this.item(item, flags));
    return sequenceOf(nodes);
  }

  private item(item: RawItem, flags: number): Node {
    switch (item.op) {
      case 'literal':
        return literalNode(item.code, foldingOf(flags));
      case 'notLiteral':
        return { kind: 'set', chars: complement(literalNode(item.code, foldingOf(flags)).chars) };
      case 'any':
        return { kind: 'set', chars: (flags & FLAG.dotAll) === 0 ? NOT_NEWLINE : EVERYTHING };
      case 'in':
        return { kind: 'set', chars: this.set(item, flags) };
      case 'at':
        return { kind: 'anchor', at: anchorKind(item, flags), ascii: isAscii(flags) };
      case 'groupref': {
        const ignoreCase = (flags & FLAG.ignoreCase) !== 0;
        return { kind: 'backreference', group: item.group, ignoreCase, ascii: isAscii(flags) };
      }
      default:
        return this.compound(item, flags);
    }
  }

  private compound(
    item: Exclude<RawItem, { op: 'literal' | 'notLiteral' | 'any' | 'in' | 'at' | 'groupref' }>,
    flags: number,
  ): Node {
    switch (item.op) {
      case 'repeat':
        return this.repeat(item, flags);
      case 'subpattern': {
        const body = this.sequence(item.body, combined(flags, item.add, item.remove));
        return item.group === undefined ? body : { kind: 'group', index: item.group, body };
      }
      case 'atomic':
        return { kind: 'atomic', body: this.sequence(item.body, flags) };
      case 'assert':
        return this.look(item, flags);
      case 'branch':
        return { kind: 'alternatives', options: item.options.map((option) => this.sequence(option, flags)) };
      case 'conditional': {
        const yes = this.sequence(item.yes, flags);
        const no: Node = item.no === undefined ? { kind: 'empty' } : this.sequence(item.no, flags);
        return { kind: 'conditional', group: item.group, yes, no };
      }
    }
  }

  private set(item: RawItem & { op: 'in' }, flags: number): CharSet {
    const key = item.members.map(memberKey).join(' ');
    const chars = setCharacters(item.members, item.negated, foldingOf(flags), isAscii(flags), key);
    return this.filter?.item === item ? intersection(chars, this.filter.chars) : chars;
  }

  private repeat(item: RawItem & { op: 'repeat' }, flags: number): Node {
    if ((flags & FLAG.template) !== 0) {
      throw new PatternError(`internal: unsupported template operator ${REPEAT_NAMES[item.mode]}`, 0);
    }
    const min = Math.min(item.min, MANY);
    const max = item.max === MAX_REPEAT ? Number.POSITIVE_INFINITY : Math.min(item.max, MANY);
    return { kind: 'repeat', body: this.sequence(item.body, flags), min, max, mode: item.mode };
  }

  private look(item: RawItem & { op: 'assert' }, flags: number): Node {
    const { behind, negative } = item;
    if (behind) this.requireFixedWidth(item);
    const width = behind ? widthOf(item.body, this.groups).min : 0;
    return { kind: 'look', behind, negative, width, body: this.sequence(item.body, flags) };
  }

  private requireFixedWidth(item: RawItem & { op: 'assert' }): void {
    const { min, max } = widthOf(item.body, this.groups);
    if (min > MAX_CODE) throw new PatternError('looks too much behind', item.position);
    if (min !== max) throw new PatternError('look-behind requires fixed-width pattern', item.position);
  }
}

export function lower(root: RawSequence, flags: number, groups: GroupWidths): Node {
  return new Lowering(groups, searchFilter(root, flags, groups)).sequence(root, flags);
}
