import { randomUUID } from 'node:crypto';
import {
  type Blacklist,
  type BlacklistDraft,
  type BlacklistQuery,
  DEFAULT_TERMS,
  type Terms,
} from '../../model/blacklists/blacklist.ts';
import type { PatternLanguage, PatternWarning } from '../../model/blacklists/pattern-language.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import type { ImportableOptions } from '../../model/context/options.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import type { Transaction } from '../../model/store.ts';
import { newStamp } from '../events/events.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { patternFault } from './pattern-file.ts';

/** A stored entry, with warnings about its pattern. */
export interface LintedBlacklist {
  readonly blacklist: Blacklist;
  readonly warnings: readonly PatternWarning[];
}

export interface BlacklistDeps extends UseCaseDeps {
  readonly language: PatternLanguage;
}

/** @throws DomainError `blacklist_not_found` or `precondition_failed` */
function requireFound(options: ConditionalOptions, blacklist: Blacklist | undefined): Blacklist {
  if (blacklist === undefined) throw new DomainError('blacklist_not_found');
  requirePrecondition(options, blacklist);
  return blacklist;
}

async function lockBlacklist(tx: Transaction, options: ConditionalOptions, id: string): Promise<Blacklist> {
  return requireFound(options, await tx.blacklists.lock(id));
}

function termsOf({ mode, expiresAt, exceptions }: Partial<Terms>, others: Terms): Terms {
  return {
    mode: mode ?? others.mode,
    expiresAt: expiresAt === undefined ? others.expiresAt : expiresAt,
    exceptions: exceptions ?? others.exceptions,
  };
}

/** Applies changes. A new pattern resets `exhausted` and `hits`. */
function applied(current: Blacklist, changes: Partial<BlacklistDraft>, now: string): Blacklist {
  const { pattern = current.pattern, description = current.description } = changes;
  const updatedAt = notBefore(now, current.createdAt, current.updatedAt);
  const { exhausted, hits } = pattern === current.pattern ? current : { exhausted: null, hits: null };
  return { ...current, ...termsOf(changes, current), pattern, description, updatedAt, exhausted, hits };
}

/** A new entry, not stored yet. */
export function newBlacklist(draft: BlacklistDraft, clock: Clock, id: string = randomUUID()): Blacklist {
  const { pattern, description = null } = draft;
  return {
    id,
    pattern,
    description,
    ...termsOf(draft, DEFAULT_TERMS),
    createdAt: clock.now(),
    updatedAt: null,
    exhausted: null,
    hits: null,
    lists: [],
  };
}

function targetOf(id: string): Target {
  return { kind: 'blacklist', id };
}

/** The use cases of blacklists. */
export function blacklistUseCases({ store, clock, access, unitOfWork, language }: BlacklistDeps) {
  function withWarnings(blacklist: Blacklist): LintedBlacklist {
    return { blacklist, warnings: language.warnings(blacklist.pattern) };
  }

  return {
    /** Why a text cannot be a pattern; undefined if it can. */
    patternFault(pattern: string): string | undefined {
      return patternFault(pattern, language);
    },

    async create(
      context: RequestContext,
      draft: BlacklistDraft,
      options: ImportableOptions<LintedBlacklist> = {},
    ): Promise<LintedBlacklist> {
      access.require(context, 'create_blacklist', { projectId: context.projectId });
      const stored = withWarnings({ ...newBlacklist(draft, clock), ...options.kept });
      const { blacklist } = stored;
      return unitOfWork.change(
        context,
        targetOf(blacklist.id),
        async (tx, emit) => {
          const stamp = newStamp(clock);
          if (!(await tx.blacklists.insert(blacklist, stamp.id)))
            throw new DomainError('duplicate_blacklist');
          emit({ type: 'blacklist.created', target: targetOf(blacklist.id), stamp, after: blacklist });
          return stored;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string, options: ConditionalOptions = {}): Promise<Blacklist> {
      access.require(context, 'get_blacklist', { projectId: context.projectId });
      return requireFound(options, await store.blacklists.find(id));
    },

    async list(context: RequestContext, query: BlacklistQuery): Promise<Page<Blacklist>> {
      access.require(context, 'find_blacklists', { projectId: context.projectId });
      return store.blacklists.list(query, undefined, context.caller.projectId);
    },

    /** Streams every entry that matches the filters, a page at a time. */
    stream(
      context: RequestContext,
      query: Omit<BlacklistQuery, 'limit' | 'marker'>,
    ): AsyncIterable<readonly Blacklist[]> {
      access.require(context, 'find_blacklists', { projectId: context.projectId });
      return store.blacklists.stream(query, context.caller.projectId);
    },

    async update(
      context: RequestContext,
      id: string,
      changes: Partial<BlacklistDraft>,
      options: ConditionalOptions = {},
    ): Promise<LintedBlacklist> {
      access.require(context, 'update_blacklist', { projectId: context.projectId });
      const changed = await unitOfWork.change(context, targetOf(id), async (tx, emit) => {
        const before = await lockBlacklist(tx, options, id);
        const after = applied(before, changes, clock.now());
        if (!(await tx.blacklists.update(before, after))) throw new DomainError('duplicate_blacklist');
        emit({ type: 'blacklist.changed', target: targetOf(id), before, after });
        return after;
      });
      return withWarnings(changed);
    },

    async remove(context: RequestContext, id: string, options: ConditionalOptions = {}): Promise<void> {
      access.require(context, 'delete_blacklist', { projectId: context.projectId });
      await unitOfWork.change(context, targetOf(id), async (tx, emit) => {
        const before = await lockBlacklist(tx, options, id);
        await tx.blacklists.remove(before);
        emit({ type: 'blacklist.deleted', target: targetOf(id), before });
      });
    },
  };
}

export type BlacklistUseCases = ReturnType<typeof blacklistUseCases>;
