import { randomUUID } from 'node:crypto';
import { type Clock, notBefore } from './clock.ts';
import { DomainError } from './errors.ts';
import type { ListQuery, Page } from './lists.ts';
import type { PatternLanguage, PatternWarning, Store } from './ports.ts';
import { textFault } from './text.ts';

export interface Blacklist {
  readonly id: string;
  readonly pattern: string;
  readonly description: string | null;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

export const BLACKLIST_SORT_KEYS = ['created_at', 'updated_at', 'id', 'pattern'] as const;
export const BLACKLIST_FILTERS = ['pattern', 'description'] as const;
export type BlacklistQuery = ListQuery<
  (typeof BLACKLIST_SORT_KEYS)[number],
  (typeof BLACKLIST_FILTERS)[number]
>;

export interface BlacklistDraft {
  readonly pattern: string;
  readonly description?: string | null | undefined;
}

/** A stored entry, with what an administrator should know of its pattern. */
export interface Stored {
  readonly blacklist: Blacklist;
  readonly warnings: readonly PatternWarning[];
}

/** The use cases of blacklists. */
export function blacklistUseCases(deps: { store: Store; language: PatternLanguage; clock: Clock }) {
  const { store, language, clock } = deps;

  return {
    /** Why a text cannot be a pattern, or undefined. */
    patternFault(pattern: string): string | undefined {
      return textFault(pattern, { min: 1, max: 4096 }) ?? language.fault(pattern);
    },

    async create(draft: BlacklistDraft): Promise<Stored> {
      const blacklist: Blacklist = {
        id: randomUUID(),
        pattern: draft.pattern,
        description: draft.description ?? null,
        createdAt: clock.now(),
        updatedAt: null,
      };
      const added = await store.transaction((tx) => tx.blacklists.insert([blacklist]));
      if (added === 0) throw new DomainError('duplicate_blacklist');
      return { blacklist, warnings: language.warnings(blacklist.pattern) };
    },

    async get(id: string): Promise<Blacklist> {
      const blacklist = await store.blacklists.find(id);
      if (blacklist === undefined) throw new DomainError('blacklist_not_found');
      return blacklist;
    },

    list(query: BlacklistQuery): Promise<Page<Blacklist>> {
      return store.blacklists.list(query);
    },

    /** Every entry that matches the filters, a page of the store at a time. */
    stream(query: Omit<BlacklistQuery, 'limit' | 'marker'>): AsyncIterable<readonly Blacklist[]> {
      return store.blacklists.stream(query);
    },

    async update(id: string, changes: Partial<BlacklistDraft>): Promise<Stored> {
      const blacklist = await store.transaction(async (tx) => {
        const current = await tx.blacklists.lock(id);
        if (current === undefined) throw new DomainError('blacklist_not_found');
        const changed: Blacklist = {
          ...current,
          ...(changes.pattern === undefined ? {} : { pattern: changes.pattern }),
          ...(changes.description === undefined ? {} : { description: changes.description }),
          updatedAt: notBefore(clock.now(), current.createdAt, current.updatedAt),
        };
        if (!(await tx.blacklists.update(current, changed))) throw new DomainError('duplicate_blacklist');
        return changed;
      });
      return { blacklist, warnings: language.warnings(blacklist.pattern) };
    },

    async remove(id: string): Promise<void> {
      await store.transaction(async (tx) => {
        const current = await tx.blacklists.lock(id);
        if (current === undefined) throw new DomainError('blacklist_not_found');
        await tx.blacklists.remove(current);
      });
    },
  };
}

export type BlacklistUseCases = ReturnType<typeof blacklistUseCases>;
