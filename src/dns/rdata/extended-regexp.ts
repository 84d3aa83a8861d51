/**
 * The subset of POSIX extended regular expressions that every name server accepts. Some check a NAPTR on arrival, and
 * rejecting a record would stop the transfer of the whole zone.
 */

const CLASSES: ReadonlySet<string> = new Set(
  'alnum digit punct alpha graph space blank lower upper cntrl print xdigit'.split(' '),
);
const BOUND = /\{([0-9]{1,3})(,([0-9]{0,3}))?\}/y;
const CLASS = /\[:([a-z]+):\]/y;
const MAX_BOUND = 255;

interface RegexpState {
  at: number;
  groups: number;
  depth: number;
  /** After an item, so that a repetition or an alternative may follow. */
  hasAtom: boolean;
  /** After an item that is already repeated, or an anchor. */
  isRepeated: boolean;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The index after a class, range or character in a bracket expression, or undefined. */
function afterMember(text: string, at: number, isFirst: boolean): number | undefined {
  const low = text[at]!;
  const next = text[at + 1] ?? ' ';
  if (low === '-' && !isFirst && next !== ']') return undefined;
  if (low === '[' && '.=:'.includes(next)) return afterClass(text, at);
  const high = text[at + 2];
  if (next !== '-' || high === undefined || high === ']') return at + 1;
  return low <= high && low !== '[' && high !== '[' && high !== '-' ? at + 3 : undefined;
}

function afterClass(text: string, at: number): number | undefined {
  const match = matchAt(CLASS, text, at);
  return match !== null && CLASSES.has(match[1]!) ? at + match[0].length : undefined;
}

/** The index after the bracket expression whose body starts at `start`, or undefined. */
function afterBracket(text: string, start: number): number | undefined {
  const first = text[start] === '^' ? start + 1 : start;
  let at: number | undefined = first;
  while (at !== undefined && at < text.length) {
    if (text[at] === ']' && at > first) return at + 1;
    at = afterMember(text, at, at === first);
  }
  return undefined;
}

function atom(state: RegexpState, next: number | undefined): boolean {
  state.hasAtom = true;
  state.isRepeated = false;
  state.at = next ?? state.at;
  return next !== undefined;
}

function escaped(text: string, state: RegexpState): boolean {
  const next = text[state.at + 1];
  const isReference = next !== undefined && next >= '1' && next <= '9';
  if (next === undefined || (isReference && Number(next) > state.groups)) return false;
  return atom(state, state.at + 2);
}

function bound(text: string, state: RegexpState): boolean {
  const match = matchAt(BOUND, text, state.at);
  if (match === null) return !/[0-9]/.test(text[state.at + 1] ?? '') && atom(state, state.at + 1);
  const low = Number(match[1]);
  const high = match[3] ? Number(match[3]) : low;
  return low <= high && high <= MAX_BOUND && repeat(state, match[0].length);
}

function repeat(state: RegexpState, length: number): boolean {
  if (!state.hasAtom || state.isRepeated) return false;
  state.isRepeated = true;
  state.at += length;
  return true;
}

function anchor(state: RegexpState): boolean {
  state.hasAtom = true;
  state.isRepeated = true;
  state.at += 1;
  return true;
}

function branch(state: RegexpState, depth: number, groups: number): boolean {
  state.hasAtom = false;
  state.isRepeated = false;
  state.depth += depth;
  state.groups += groups;
  state.at += 1;
  return true;
}

/** One step per special character; false if the expression is invalid. */
const STEPS: Readonly<Record<string, (text: string, state: RegexpState) => boolean>> = {
  '\\': escaped,
  '[': (text, state) => atom(state, afterBracket(text, state.at + 1)),
  '{': bound,
  '*': (_, state) => repeat(state, 1),
  '+': (_, state) => repeat(state, 1),
  '?': (_, state) => repeat(state, 1),
  '^': (_, state) => anchor(state),
  $: (_, state) => anchor(state),
  '(': (_, state) => branch(state, 1, 1),
  '|': (_, state) => state.hasAtom && branch(state, 0, 0),
  ')': (_, state) => state.hasAtom && state.depth > 0 && branch(state, -1, 0) && atom(state, state.at),
};

/** The number of groups in the expression, or undefined if it is invalid. */
export function groupsOfExpression(text: string): number | undefined {
  const state: RegexpState = { at: 0, groups: 0, depth: 0, hasAtom: false, isRepeated: false };
  while (state.at < text.length) {
    const step = STEPS[text[state.at]!];
    const isRight = step === undefined ? atom(state, state.at + 1) : step(text, state);
    if (!isRight) return undefined;
  }
  return state.depth === 0 && state.hasAtom ? state.groups : undefined;
}
