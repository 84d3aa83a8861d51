import { lintPattern, type Warning } from './lint.ts';
import { isPlainRule } from './plain-rule.ts';
import { PatternError } from './syntax/error.ts';
import { parsePattern } from './syntax/parse.ts';

/** Checks that need only the pattern: its syntax, and warnings for its author. */
export const patternLanguage = {
  /** Describes why the text is not a valid pattern, with the position in code points; undefined if it is valid. */
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
