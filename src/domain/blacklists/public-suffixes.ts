import { parseListedName } from '../../dns/names.ts';
import type { BlacklistDraft } from '../../model/blacklists/blacklist.ts';
import { lineFault } from '../../model/errors.ts';
import { type FileLine, suffixRuleOf } from '../files/file-lines.ts';

const LABEL = '[A-Za-z0-9_\\-]+';

/** The name on a line in canonical form, with its dots escaped for a pattern. */
export function requireEscapedName(line: FileLine, text: string): string {
  const parsed = parseListedName(text);
  if (!parsed.ok) throw lineFault(line.number, parsed.reason);
  return parsed.value.replaceAll('.', '\\.');
}

/** The escaped exceptions of the wildcard rules, by the escaped parent name of the wildcard. */
function exceptionsByParent(
  lines: readonly FileLine[],
  refuse: (fault: unknown) => void,
): Map<string, string[]> {
  const exceptions = new Map<string, string[]>();
  for (const line of lines) {
    const rule = suffixRuleOf(line);
    if (!rule?.startsWith('!')) continue;
    try {
      const name = requireEscapedName(line, rule.slice(1));
      const parent = name.slice(name.indexOf('\\.') + 2);
      const known = exceptions.get(parent);
      if (known === undefined) exceptions.set(parent, [name]);
      else known.push(name);
    } catch (fault) {
      refuse(fault);
    }
  }
  return exceptions;
}

function wildcardPattern(parent: string, exceptions: readonly string[]): string {
  const leftOut = exceptions.length === 0 ? '' : `(?!(?:${exceptions.join('|')})$)`;
  return `^${leftOut}${LABEL}\\.${parent}$`;
}

function patternOf(line: FileLine, rule: string, exceptions: Map<string, string[]>): string {
  if (!rule.includes('*')) return `^${requireEscapedName(line, rule)}$`;
  if (!rule.startsWith('*.') || rule.lastIndexOf('*') !== 0) {
    throw lineFault(line.number, 'A wildcard must be the whole first label: "*.example".');
  }
  const parent = requireEscapedName(line, rule.slice(2));
  return wildcardPattern(parent, exceptions.get(parent) ?? []);
}

/**
 * Converts a public suffix list to patterns: one for each suffix; a wildcard matches one label below its parent.
 * @param refuse receives the faults of exceptions
 * @returns a function that converts a line to an entry, or throws the fault of the line
 */
export function suffixPatterns(
  lines: readonly FileLine[],
  refuse: (fault: unknown) => void,
): (line: FileLine) => BlacklistDraft | undefined {
  const exceptions = exceptionsByParent(lines, refuse);
  return (line) => {
    const rule = suffixRuleOf(line);
    return rule === undefined || rule.startsWith('!')
      ? undefined
      : { pattern: patternOf(line, rule, exceptions) };
  };
}
