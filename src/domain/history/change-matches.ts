/** Finds the changes that touched certain recordsets. */
import { effectsWith } from '../../model/history/effects-text.ts';
import type { ChangeFilters } from '../../model/history/history-filters.ts';
import type { RecordsetEffect } from '../../model/history/past-change.ts';
import type { EffectsOfChange } from '../../model/history/store.ts';
import { filteredName, hasWildcard, wildcardParts } from '../../model/name-filter.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';

/** What is asked about a recordset that a change touched. */
export interface RecordsetMatch {
  matches(effect: RecordsetEffect): boolean;
  /** A text in the stored form of each change that touched one. */
  readonly mentions: string | undefined;
}

function namePattern(filter: string): RegExp {
  const parts = wildcardParts(filter).map((part) => part.replace(/[\\^$.|?+*()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

function nameMatcher(filter: string | undefined): (name: string) => boolean {
  if (filter === undefined) return () => true;
  if (!hasWildcard(filter)) return (name) => name === filteredName(filter);
  const pattern = namePattern(filter);
  return (name) => pattern.test(name);
}

/** Undefined if the filters ask nothing about recordsets. */
export function matchOf({ name, type }: ChangeFilters): RecordsetMatch | undefined {
  if (name === undefined && type === undefined) return undefined;
  const isName = nameMatcher(name);
  const isType = nameMatcher(type);
  const exact = [name, type].find((filter) => filter !== undefined && !hasWildcard(filter));
  return {
    matches({ before, after }) {
      const recordset = (after ?? before)!;
      return isName(recordset.name) && isType(recordset.type);
    },
    mentions: exact && JSON.stringify(filteredName(exact)),
  };
}

export function matchOfId(id: string): RecordsetMatch {
  return { matches: ({ before, after }) => (after ?? before)!.id === id, mentions: JSON.stringify(id) };
}

/** The first effect that matches. */
export async function firstMatch(
  { effects, zoneId }: EffectsOfChange,
  { matches, mentions = '' }: RecordsetMatch,
  turns: TimeSlices,
): Promise<RecordsetEffect | undefined> {
  for (const effect of effectsWith(mentions, effects ?? '', zoneId)) {
    if (effect !== undefined && matches(effect)) return effect;
    if (turns.isOver) await turns.next();
  }
  return undefined;
}
