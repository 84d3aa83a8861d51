import type { RepeatMode } from '../ast.ts';

/**
 * The pattern as parsed by CPython, before flags are applied. The shape is that of CPython's own tree, including its
 * optimisations, because some of its verdicts depend on them.
 */

export type Category = 'digit' | 'notDigit' | 'space' | 'notSpace' | 'word' | 'notWord';

export type ClassMember =
  | { readonly op: 'literal'; readonly code: number }
  | { readonly op: 'range'; readonly lo: number; readonly hi: number }
  | { readonly op: 'category'; readonly category: Category };

export type RawAnchor = 'beginning' | 'beginningString' | 'end' | 'endString' | 'boundary' | 'notBoundary';

export type RawItem =
  | { readonly op: 'literal'; readonly code: number }
  | { readonly op: 'notLiteral'; readonly code: number }
  | { readonly op: 'any' }
  | { readonly op: 'in'; readonly negated: boolean; readonly members: readonly ClassMember[] }
  | { readonly op: 'at'; readonly at: RawAnchor }
  | {
      readonly op: 'repeat';
      readonly mode: RepeatMode;
      readonly min: number;
      readonly max: number;
      readonly body: RawSequence;
    }
  | {
      readonly op: 'subpattern';
      readonly group: number | undefined;
      readonly add: number;
      readonly remove: number;
      readonly body: RawSequence;
    }
  | { readonly op: 'atomic'; readonly body: RawSequence }
  | {
      readonly op: 'assert';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly body: RawSequence;
      readonly position: number;
    }
  | { readonly op: 'branch'; readonly options: readonly RawSequence[] }
  | { readonly op: 'groupref'; readonly group: number }
  | {
      readonly op: 'conditional';
      readonly group: number;
      readonly yes: RawSequence;
      readonly no: RawSequence | undefined;
    };

export interface RawSequence {
  items: RawItem[];
  width?: Width;
}

export interface Width {
  readonly min: number;
  readonly max: number;
}

/** CPython's value for no upper bound. */
export const MAX_REPEAT = 0xffff_ffff;
export const MAX_GROUPS = 0x3fff_ffff;
const MAX_WIDTH = 2 ** 64;

export const FLAG = {
  ignoreCase: 2,
  locale: 4,
  multiline: 8,
  dotAll: 16,
  unicode: 32,
  verbose: 64,
  ascii: 256,
  template: 1,
};
export const TYPE_FLAGS = FLAG.ascii | FLAG.locale | FLAG.unicode;

const ONE: Width = { min: 1, max: 1 };
const NONE: Width = { min: 0, max: 0 };

export type GroupWidths = readonly (Width | undefined)[];

function widest(widths: readonly Width[]): Width {
  return { min: Math.min(...widths.map((w) => w.min)), max: Math.max(...widths.map((w) => w.max)) };
}

function repeatWidth(item: RawItem & { op: 'repeat' }, groups: GroupWidths): Width {
  const { min, max } = widthOf(item.body, groups);
  return { min: min * item.min, max: item.max === MAX_REPEAT && max > 0 ? MAX_WIDTH : max * item.max };
}

function itemWidth(item: RawItem, groups: GroupWidths): Width {
  switch (item.op) {
    case 'at':
    case 'assert':
      return NONE;
    case 'branch':
      return widest(item.options.map((option) => widthOf(option, groups)));
    case 'atomic':
    case 'subpattern':
      return widthOf(item.body, groups);
    case 'repeat':
      return repeatWidth(item, groups);
    case 'groupref':
      return groups[item.group] ?? NONE;
    case 'conditional':
      return widest([widthOf(item.yes, groups), item.no === undefined ? NONE : widthOf(item.no, groups)]);
    default:
      return ONE;
  }
}

/** The number of code points that a sequence can match. */
export function widthOf(sequence: RawSequence, groups: GroupWidths): Width {
  if (sequence.width !== undefined) return sequence.width;
  let min = 0;
  let max = 0;
  for (const item of sequence.items) {
    const width = itemWidth(item, groups);
    min += width.min;
    max += width.max;
  }
  sequence.width = { min: Math.min(min, MAX_WIDTH), max: Math.min(max, MAX_WIDTH) };
  return sequence.width;
}

export function memberKey(member: ClassMember): string {
  if (member.op === 'literal') return `${member.code}`;
  return member.op === 'range' ? `${member.lo}-${member.hi}` : member.category;
}

export function distinctMembers(members: readonly ClassMember[]): ClassMember[] {
  return [...new Map(members.map((member) => [memberKey(member), member])).values()];
}

/** A key shared by items that CPython considers equal; undefined for items with a body, which never are. */
export function itemKey(item: RawItem): string | undefined {
  switch (item.op) {
    case 'literal':
    case 'notLiteral':
      return `${item.op} ${item.code}`;
    case 'any':
      return item.op;
    case 'in':
      return `in ${item.negated} ${item.members.map(memberKey).join(' ')}`;
    case 'at':
      return `at ${item.at}`;
    case 'groupref':
      return `groupref ${item.group}`;
    default:
      return undefined;
  }
}
