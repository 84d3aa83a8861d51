import { randomUUID } from 'node:crypto';
import { DEFAULT_TERMS, type Mode } from '../../model/blacklists/blacklist.ts';
import type { PatternLanguage } from '../../model/blacklists/pattern-language.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import {
  MAX_OF_PROJECT,
  type Preview,
  type PreviewZone,
  type PreviewZoneQuery,
} from '../../model/previews/preview.ts';
import { Wakeup } from '../../runtime/wakeup.ts';
import type { NameScanner } from '../blacklists/name-scanner.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { NOTHING_SEEN, type ScanStep, scanZones } from './zone-scan.ts';

/** The pattern of a preview: a text, or that of an entry. */
export type PreviewDraft =
  | { readonly pattern: string; readonly mode?: Mode | undefined }
  | { readonly blacklistId: string };

type PreviewSubject = Pick<Preview, 'pattern' | 'mode' | 'blacklistId' | 'faults' | 'warnings'>;

export interface PreviewDeps extends UseCaseDeps {
  readonly language: PatternLanguage;
  readonly scanner: NameScanner;
}

/** The use cases of previews, which show what a pattern would match. They change only their own state. */
export function previewUseCases({ store, clock, access, unitOfWork, language, scanner }: PreviewDeps) {
  const wakeup = new Wakeup();

  function aboutPattern(pattern: string, mode: Mode, blacklistId: string | null): PreviewSubject {
    const fault = language.fault(pattern);
    const faults = fault === undefined ? [] : [fault];
    return {
      pattern,
      mode,
      blacklistId,
      faults,
      warnings: fault === undefined ? language.warnings(pattern) : [],
    };
  }

  async function subjectOf(draft: PreviewDraft): Promise<PreviewSubject> {
    if ('pattern' in draft) return aboutPattern(draft.pattern, draft.mode ?? DEFAULT_TERMS.mode, null);
    const blacklist = await store.blacklists.find(draft.blacklistId);
    if (blacklist === undefined) throw new DomainError('blacklist_not_found');
    return aboutPattern(blacklist.pattern, blacklist.mode, blacklist.id);
  }

  async function newPreview(context: RequestContext, draft: PreviewDraft): Promise<Preview> {
    const subject = await subjectOf(draft);
    const isFaulty = subject.faults.length > 0;
    const total = isFaulty ? 0 : await store.previews.countZones(context.caller.projectId);
    const now = clock.now();
    return {
      id: randomUUID(),
      projectId: context.projectId,
      ...subject,
      ...NOTHING_SEEN,
      total,
      status: isFaulty ? 'ERROR' : 'PENDING',
      message: isFaulty ? 'The pattern is invalid. See "faults".' : null,
      createdAt: now,
      updatedAt: null,
      endedAt: isFaulty ? now : null,
    };
  }

  async function get(context: RequestContext, id: string): Promise<Preview> {
    access.require(context, 'check_blacklists', { projectId: context.projectId });
    const preview = await store.previews.find(id, context.scope);
    if (preview === undefined) throw new DomainError('preview_not_found');
    return preview;
  }

  return {
    get,

    /** Wakes the job that runs previews. */
    wakeup,

    /** Starts a preview. A project can run one at a time. @throws DomainError `preview_running` */
    async create(
      context: RequestContext,
      draft: PreviewDraft,
      options: CreateOptions<Preview> = {},
    ): Promise<Preview> {
      access.require(context, 'check_blacklists', { projectId: context.projectId });
      const preview = await newPreview(context, draft);
      const made = await unitOfWork.commit(
        context,
        async (tx) => {
          if (!(await tx.previews.insert(preview))) throw new DomainError('preview_running');
          tx.previews.hideOld(context.projectId, MAX_OF_PROJECT);
          return preview;
        },
        options,
      );
      wakeup.wake();
      return made;
    },

    /** The zones that a preview has found so far. */
    async zones(context: RequestContext, id: string, query: PreviewZoneQuery): Promise<Page<PreviewZone>> {
      await get(context, id);
      return store.previews.list(query, id, context.caller.projectId);
    },

    /** Stops a preview if it runs, and deletes it. */
    async remove(context: RequestContext, id: string): Promise<void> {
      await get(context, id);
      const isRemoved = await store.transaction((tx) => tx.previews.cancel(id, context.scope, clock.now()));
      if (!isRemoved) throw new DomainError('preview_not_found');
      wakeup.wake();
    },

    /** Runs a preview for a command, which waits for the result. Nothing is stored. */
    async run(
      context: RequestContext,
      draft: PreviewDraft,
      signal: AbortSignal,
    ): Promise<PreviewSubject & { readonly steps: AsyncIterable<ScanStep> }> {
      access.require(context, 'check_blacklists', { projectId: context.projectId });
      const subject = await subjectOf(draft);
      const fault = subject.faults[0];
      if (fault !== undefined) throw new DomainError('invalid_object', fault);
      const scan = {
        pattern: subject.pattern,
        createdBy: clock.now(),
        onBehalfOf: context.caller.projectId,
        signal,
      };
      return { ...subject, steps: scanZones({ store, scanner }, scan) };
    },
  };
}

export type PreviewUseCases = ReturnType<typeof previewUseCases>;
