import { parseSetEscape } from './escapes.ts';
import type { ClassMember, RawItem } from './raw.ts';
import { distinctMembers } from './raw.ts';
import type { Tokens } from './tokens.ts';
import { lengthOf } from './tokens.ts';

function memberOf(tokens: Tokens, token: string): ClassMember {
  if (token.length > 1 && token.startsWith('\\')) return parseSetEscape(tokens, token);
  return { op: 'literal', code: token.codePointAt(0) as number };
}

function requireToken(tokens: Tokens, start: number): string {
  const token = tokens.take();
  if (token === '') throw tokens.error('unterminated character set', tokens.position - start);
  return token;
}

function rangeOf(tokens: Tokens, low: ClassMember, lowToken: string, highToken: string): ClassMember {
  const high = memberOf(tokens, highToken);
  if (low.op === 'literal' && high.op === 'literal' && low.code <= high.code) {
    return { op: 'range', lo: low.code, hi: high.code };
  }
  const reason = `bad character range ${lowToken}-${highToken}`;
  throw tokens.error(reason, lengthOf(lowToken) + 1 + lengthOf(highToken));
}

function parseMembers(tokens: Tokens, start: number): ClassMember[] {
  const members: ClassMember[] = [];
  for (;;) {
    const token = requireToken(tokens, start);
    if (token === ']' && members.length > 0) return members;
    const member = memberOf(tokens, token);
    if (!tokens.accept('-')) {
      members.push(member);
      continue;
    }
    const high = requireToken(tokens, start);
    if (high === ']') return [...members, member, { op: 'literal', code: 45 }];
    members.push(rangeOf(tokens, member, token, high));
  }
}

/** Reads a set after its `[`. */
export function parseSet(tokens: Tokens): RawItem {
  const start = tokens.position - 1;
  const negated = tokens.accept('^');
  const members = distinctMembers(parseMembers(tokens, start));
  const [only] = members;
  if (members.length > 1 || only?.op !== 'literal') return { op: 'in', negated, members };
  return { op: negated ? 'notLiteral' : 'literal', code: only.code };
}
