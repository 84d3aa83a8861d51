import { randomUUID } from 'node:crypto';
import { type Clock, notBefore } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { createIn, type Once } from '../idempotency/once.ts';
import type { Page } from '../lists.ts';
import type { Store, Transaction } from '../store.ts';
import { textFault } from '../text.ts';
import type { Blacklist, BlacklistDraft, BlacklistQuery } from './blacklist.ts';
import type { PatternLanguage, PatternWarning } from './pattern-language.ts';

/** A stored entry, with what an administrator should know of its pattern. */
export interface Stored {
  readonly blacklist: Blacklist;
  readonly warnings: readonly PatternWarning[];
}

async function lockBlacklist(tx: Transaction, id: string): Promise<Blacklist> {
  const blacklist = await tx.blacklists.lock(id);
  if (blacklist === undefined) throw new DomainError('blacklist_not_found');
  return blacklist;
}

function applied(current: Blacklist, changes: Partial<BlacklistDraft>, now: string): Blacklist {
  const { pattern = current.pattern, description = current.description } = changes;
  const updatedAt = notBefore(now, current.createdAt, current.updatedAt);
  const exhausted = pattern === current.pattern ? current.exhausted : null;
  return { ...current, pattern, description, updatedAt, exhausted };
}

/** The use cases of blacklists. */
export function blacklistUseCases(deps: { store: Store; language: PatternLanguage; clock: Clock }) {
  const { store, language, clock } = deps;

  return {
    /** Why a text cannot be a pattern, or undefined. */
    patternFault(pattern: string): string | undefined {
      return textFault(pattern, { min: 1, max: 4096 }) ?? language.fault(pattern);
    },

    async create(draft: BlacklistDraft, once?: Once<Stored>): Promise<Stored> {
      const blacklist: Blacklist = {
        id: randomUUID(),
        pattern: draft.pattern,
        description: draft.description ?? null,
        createdAt: clock.now(),
        updatedAt: null,
        exhausted: null,
      };
      const stored = { blacklist, warnings: language.warnings(blacklist.pattern) };
      return createIn(store, once, async (tx) => {
        if ((await tx.blacklists.insert([blacklist])) === 0) throw new DomainError('duplicate_blacklist');
        return stored;
      });
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
        const current = await lockBlacklist(tx, id);
        const changed = applied(current, changes, clock.now());
        if (!(await tx.blacklists.update(current, changed))) throw new DomainError('duplicate_blacklist');
        return changed;
      });
      return { blacklist, warnings: language.warnings(blacklist.pattern) };
    },

    async remove(id: string): Promise<void> {
      await store.transaction(async (tx) => tx.blacklists.remove(await lockBlacklist(tx, id)));
    },
  };
}

export type BlacklistUseCases = ReturnType<typeof blacklistUseCases>;
