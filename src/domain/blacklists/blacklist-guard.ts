import type { Fqdn } from '../../dns/names.ts';
import { type Clock, earlier } from '../clock.ts';
import { DomainError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store.ts';
import { yieldTurn } from '../yield.ts';
import type { Blacklist } from './blacklist.ts';
import { formsOf, type NameIndex, type Traits } from './name-index.ts';
import { NumberSet } from './number-set.ts';
import type { NumberedPattern, Revision } from './store.ts';

/** The verdict on a name, and the revision of the blacklists for which it is true. */
export type Judgement =
  | { readonly kind: 'free'; readonly revision: Revision }
  | { readonly kind: 'blocked'; readonly revision: Revision; readonly blacklist: Blacklist }
  | { readonly kind: 'undecided'; readonly revision: Revision; readonly numbers: readonly number[] };

/** How often a check is retried because the blacklists changed meanwhile. */
const MOST_ATTEMPTS = 100;

/** The least time between two reports of how far the index is, in milliseconds. */
const REPORT_MS = 1000;

/** Every entry refuses, without exception. */
const BLOCKS: Traits = { enforced: true, conditional: false };

export const CHANGES_TOO_FAST = 'The blacklists change too fast. Try again later.';

/**
 * Keeps the index up to date with the store and checks names against it. A check runs outside any transaction, so a slow
 * one blocks no other request. The caller compares the revision of the verdict with the store's inside its own
 * transaction, and checks again if they differ.
 */
export function blacklistGuard(deps: { store: Store; index: NameIndex; log: Log; clock: Clock }) {
  const { store, index, log, clock } = deps;
  let revision: Revision = 0;
  // The numbers in the index. A pattern added and removed between two catch-ups was never in it, and a pattern that a
  // failed catch-up has already applied is not applied twice.
  let held = new NumberSet();
  let catchingUp: Promise<void> | undefined;

  function add({ number, pattern }: NumberedPattern): void {
    if (held.has(number)) return;
    index.add(number, pattern, BLOCKS);
    held.add(number);
  }

  function remove({ number, pattern }: NumberedPattern): void {
    if (!held.has(number)) return;
    index.remove(number, pattern, BLOCKS);
    held.delete(number);
  }

  /** Tells how far the index is, once a second at the most. */
  function progressOf(total: number): () => void {
    let last = clock.now();
    return () => {
      const now = clock.now();
      if (earlier(now, REPORT_MS) < last) return;
      last = now;
      log.info({ patterns: index.size, total }, 'building the blacklist index');
    };
  }

  async function takeIn(after: Revision, upTo: Revision, progress?: () => void): Promise<void> {
    for await (const batch of store.blacklists.added(after, upTo)) {
      batch.forEach(add);
      progress?.();
      await yieldTurn();
    }
    for await (const batch of store.blacklists.removed(after, upTo)) {
      batch.forEach(remove);
      await yieldTurn();
    }
    revision = upTo;
  }

  /** If the revision of the store went back, the index is invalid, and so are verdicts until it is rebuilt. */
  function forget(): void {
    index.clear();
    held = new NumberSet();
    revision = 0;
  }

  async function catchUpOnce(): Promise<void> {
    const current = await store.blacklists.revision();
    if (current < revision) forget();
    if (current !== revision) await takeIn(revision, current);
  }

  /** Brings the index to a revision that the store had after this call; parallel calls share the work. */
  async function catchUp(): Promise<void> {
    // Work in flight may have read the revision before this call: wait for it, then check again.
    while (catchingUp !== undefined) await catchingUp;
    catchingUp = catchUpOnce().finally(() => {
      catchingUp = undefined;
    });
    await catchingUp;
  }

  async function confirm(verdict: Awaited<ReturnType<NameIndex['check']>>, at: Revision) {
    if (verdict.kind === 'free') return { kind: 'free', revision: at } as const;
    if ((await store.blacklists.revision()) !== at) return undefined;
    if (verdict.kind === 'undecided')
      return { kind: 'undecided', revision: at, numbers: verdict.keys } as const;
    const key = verdict.kind === 'blocked' ? verdict.key : verdict.keys[0]!;
    const blacklist = await store.blacklists.findByNumber(key);
    return blacklist && ({ kind: 'blocked', revision: at, blacklist } as const);
  }

  return {
    catchUp,

    /** Builds the index from the whole store, reporting as it goes. */
    async load(): Promise<void> {
      const progress = progressOf(await store.blacklists.size());
      await takeIn(0, await store.blacklists.revision(), progress);
      if (index.size > 0) log.info({ patterns: index.size }, 'built the blacklist index');
    },

    /** The verdict on a name. A refusal is confirmed at the store's current revision; the caller must confirm a pass. */
    async judge(name: Fqdn, onBehalfOf: string): Promise<Judgement> {
      const forms = formsOf(name);
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const at = revision;
        const judgement = await confirm(await index.check(forms, onBehalfOf), at);
        if (judgement !== undefined) return judgement;
        await catchUp();
      }
      throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
    },
  };
}

export type BlacklistGuard = ReturnType<typeof blacklistGuard>;
