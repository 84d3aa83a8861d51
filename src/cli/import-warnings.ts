import { patternLanguage } from '../matcher/language.ts';
import type { FileDraft } from './pattern-files.ts';

/** So many are printed; the rest are counted. */
const MOST_SHOWN = 20;

/** What an administrator should know of the patterns of a file, a line each. */
export function importWarnings(drafts: readonly FileDraft[]): string[] {
  const shown: string[] = [];
  let more = 0;
  for (const { line, pattern } of drafts) {
    if (line === undefined) continue;
    for (const { code, message } of patternLanguage.warnings(pattern)) {
      if (shown.length < MOST_SHOWN) shown.push(`warning: line ${line}: ${code}: ${message}`);
      else more++;
    }
  }
  if (more > 0) shown.push(`warning: and ${more} more`);
  return shown;
}
