import { randomUUID } from 'node:crypto';
import { type Clock, notBefore } from '../../model/clock.ts';
import type { ImportableOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import type { Transaction } from '../../model/store.ts';
import type { Tld, TldDraft, TldQuery, TldVerdict } from '../../model/tlds/tld.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { requireTldFile, type TldFile } from './tld-file.ts';

export interface TldImport {
  readonly added: number;
  /** TLDs in the file that already existed, or occur twice in the file. */
  readonly present: number;
  /** Lines of the file that add no TLD. */
  readonly leftOut: number;
}

const IMPORT: Target = { kind: 'tld' };

function targetOf({ id, name }: { id: string; name?: string }): Target {
  return { kind: 'tld', id, name };
}

function newTld({ name, description = null }: TldDraft, clock: Clock): Tld {
  return { id: randomUUID(), name, description, createdAt: clock.now(), updatedAt: null };
}

async function lockTld(tx: Transaction, id: string): Promise<Tld> {
  const tld = await tx.tlds.lock(id);
  if (tld === undefined) throw new DomainError('tld_not_found');
  return tld;
}

/** @throws DomainError `invalid_tld` if no zone of this name may be created */
export function requireTld(verdict: TldVerdict): void {
  if (verdict === 'below a TLD' || verdict === 'no TLDs') return;
  throw new DomainError('invalid_tld', undefined, { details: { name_is: verdict } });
}

/** The use cases of TLDs. */
export function tldUseCases({ store, clock, access, unitOfWork }: UseCaseDeps) {
  return {
    async create(
      context: RequestContext,
      draft: TldDraft,
      options: ImportableOptions<Tld> = {},
    ): Promise<Tld> {
      access.require(context, 'create_tld', { projectId: context.projectId });
      const tld = { ...newTld(draft, clock), ...options.kept };
      return unitOfWork.change(
        context,
        targetOf(tld),
        async (tx, emit) => {
          if ((await tx.tlds.insert([tld])) === 0) throw new DomainError('duplicate_tld');
          emit({ type: 'tld.created', target: targetOf(tld), after: tld });
          return tld;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<Tld> {
      access.require(context, 'get_tld', { projectId: context.projectId });
      const tld = await store.tlds.find(id);
      if (tld === undefined) throw new DomainError('tld_not_found');
      return tld;
    },

    async list(context: RequestContext, query: TldQuery): Promise<Page<Tld>> {
      access.require(context, 'find_tlds', { projectId: context.projectId });
      return store.tlds.list(query, undefined, context.caller.projectId);
    },

    /** Streams every TLD that matches the filters, a page at a time. */
    stream(
      context: RequestContext,
      query: Omit<TldQuery, 'limit' | 'marker'>,
    ): AsyncIterable<readonly Tld[]> {
      access.require(context, 'find_tlds', { projectId: context.projectId });
      return store.tlds.stream(query, context.caller.projectId);
    },

    async update(context: RequestContext, id: string, changes: Partial<TldDraft>): Promise<Tld> {
      access.require(context, 'update_tld', { projectId: context.projectId });
      return unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        const before = await lockTld(tx, id);
        const updatedAt = notBefore(clock.now(), before.createdAt, before.updatedAt);
        const after: Tld = { ...before, ...changes, updatedAt };
        if (!(await tx.tlds.update(before, after))) throw new DomainError('duplicate_tld');
        emit({ type: 'tld.changed', target: targetOf(after), before, after });
        return after;
      });
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      access.require(context, 'delete_tld', { projectId: context.projectId });
      await unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        const before = await lockTld(tx, id);
        await tx.tlds.remove(id);
        emit({ type: 'tld.deleted', target: targetOf(before), before });
      });
    },

    /**
     * Stores all TLDs of a file or none, in one transaction. Existing TLDs are left unchanged.
     * @throws DomainError `invalid_object` for the first invalid line
     */
    async importFile(context: RequestContext, file: TldFile): Promise<TldImport> {
      access.require(context, 'create_tld', { projectId: context.projectId });
      const { names, leftOut } = requireTldFile(file);
      // Sorted, so that concurrent imports cannot deadlock.
      const tlds = [...new Set(names)].sort().map((name) => newTld({ name }, clock));
      return unitOfWork.change(context, IMPORT, async (tx, emit) => {
        const added = tlds.length === 0 ? 0 : await tx.tlds.insert(tlds);
        const present = names.length - added;
        emit({ type: 'tlds.imported', target: IMPORT, added, present });
        return { added, present, leftOut };
      });
    },
  };
}

export type TldUseCases = ReturnType<typeof tldUseCases>;
