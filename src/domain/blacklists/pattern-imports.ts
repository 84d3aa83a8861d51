import { randomUUID } from 'node:crypto';
import type { Act } from '../acts/act.ts';
import type { Clock } from '../clock.ts';
import type { Target } from '../events/event.ts';
import type { UseCaseDeps } from '../use-case.ts';
import type { Blacklist } from './blacklist.ts';
import { newBlacklist } from './blacklists.ts';
import { type FileDraft, type PatternFile, requirePatternFile } from './pattern-file.ts';
import type { PatternLanguage, PatternWarning } from './pattern-language.ts';

/** A warning about the pattern on a line. */
export interface LineWarning extends PatternWarning {
  readonly line: number;
}

export interface PatternImport {
  readonly added: number;
  /** Patterns of the file that already existed, or occur twice in the file. */
  readonly present: number;
  /** The first warnings, at most 20. */
  readonly warnings: readonly LineWarning[];
  /** The total number of warnings. */
  readonly warningCount: number;
}

/** Receives the number of patterns processed so far, and the total. */
export type ImportProgress = (done: number, total: number) => void;

export interface PatternImportDeps extends UseCaseDeps {
  readonly language: PatternLanguage;
}

const MOST_WARNINGS = 20;
const TARGET: Target = { kind: 'blacklist' };

/** Patterns generated from names have no warnings: no person wrote them. */
function warningsOf(
  drafts: readonly FileDraft[],
  language: PatternLanguage,
): Pick<PatternImport, 'warnings' | 'warningCount'> {
  const warnings: LineWarning[] = [];
  let warningCount = 0;
  for (const { line, pattern } of drafts) {
    if (line === undefined) continue;
    for (const warning of language.warnings(pattern)) {
      warningCount += 1;
      if (warnings.length < MOST_WARNINGS) warnings.push({ line, ...warning });
    }
  }
  return { warnings, warningCount };
}

/** Entries with ids in ascending order: three indexes then grow at their end. */
function* entriesOf(drafts: readonly FileDraft[], clock: Clock): Iterable<Blacklist> {
  const ids = drafts.map(() => randomUUID()).sort();
  for (const [place, draft] of drafts.entries()) yield newBlacklist(draft, clock, ids[place]);
}

/** The use case of importing a file of patterns or names into the blacklists. */
export function patternImportUseCases({ clock, access, acts, language }: PatternImportDeps) {
  return {
    /**
     * Stores all patterns of a file or none, in one transaction; what is there already is left as it is.
     * @throws DomainError `invalid_object` with the first line that cannot be used
     */
    async create(act: Act, file: PatternFile, progress: ImportProgress): Promise<PatternImport> {
      access.require(act, 'create_blacklist', { projectId: act.projectId });
      const drafts = requirePatternFile(file, language);
      const warned = warningsOf(drafts, language);
      return acts.change(act, TARGET, async (tx, tell) => {
        let done = 0;
        const added = await tx.blacklists.insertMany(entriesOf(drafts, clock), drafts.length, (more) => {
          done += more;
          progress(done, drafts.length);
        });
        const present = drafts.length - added;
        tell({ type: 'blacklists.imported', target: TARGET, added, present });
        return { added, present, ...warned };
      });
    },
  };
}
