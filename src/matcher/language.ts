import { lintPattern, type Warning } from './lint.ts';
import { isPlainRule } from './plain-rule.ts';
import { PatternError } from './syntax/error.ts';
import { parsePattern } from './syntax/parse.ts';

/** What can be said of a pattern alone: whether it is one, and what its author should know. */
export const patternLanguage = {
  /** Why the text is no pattern, with the position in code points, or undefined. */
  fault(pattern: string): string | undefined {
    if (isPlainRule(pattern)) return undefined;
    try {
      parsePattern(pattern);
      return undefined;
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      return `This is not a regular expression: ${error.reason} at position ${error.position}.`;
    }
  },

  warnings: (pattern: string): readonly Warning[] => lintPattern(pattern),
};
