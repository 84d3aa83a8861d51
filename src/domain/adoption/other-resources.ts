/** Adopts resources other than zones: each by the use case that creates it, with its id and times. */
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { ImportedMetadata } from '../../model/imported-metadata.ts';
import { DEFAULT_POOL_ID, type Pool } from '../../model/pools/pool.ts';
import type { Store } from '../../model/store.ts';
import type { BlacklistUseCases } from '../blacklists/blacklists.ts';
import type { PoolUseCases } from '../pools/pools.ts';
import type { QuotaUseCases } from '../quotas/quotas.ts';
import type { TldUseCases } from '../tlds/tlds.ts';
import type { TransferRequestUseCases } from '../transfers/transfer-requests.ts';
import type { TsigKeyUseCases } from '../tsig-keys/tsig-keys.ts';
import { type AdoptedThing, type AdoptionOutcome, type OutcomeKind, reasonOf } from './outcome.ts';
import type {
  AdoptionSource,
  Given,
  SourceBlacklist,
  SourcePool,
  SourceTld,
  SourceTransferRequest,
  SourceTsigKey,
} from './source.ts';
import type { AdoptionMode } from './zone-adoption.ts';

export interface OtherResourcesDeps {
  readonly store: Store;
  readonly pools: PoolUseCases;
  readonly tsigKeys: TsigKeyUseCases;
  readonly tlds: TldUseCases;
  readonly blacklists: BlacklistUseCases;
  readonly quotas: QuotaUseCases;
  readonly transferRequests: TransferRequestUseCases;
}

/** How to adopt resources of one kind. */
interface AdoptedKind<Wanted extends ImportedMetadata, Present> {
  readonly thing: AdoptedThing;
  nameOf(one: Wanted): string;
  find(id: string): Promise<Present | undefined>;
  /** The properties to compare. Secrets are compared, but never shown. */
  essence(one: Wanted | Present): Readonly<Record<string, unknown>>;
  add(context: RequestContext, wanted: Wanted, kept: ImportedMetadata): Promise<unknown>;
  /** Undefined if it cannot be changed. */
  readonly change?: (context: RequestContext, wanted: Wanted) => Promise<unknown>;
  /** True if mode `take` may change the resource, because no one has changed it since its creation. */
  readonly isUntouched?: (present: Present) => boolean;
}

/** Errors that mean the resource exists here under another id. */
const PRESENT: ReadonlySet<string> = new Set(['duplicate_tld', 'duplicate_blacklist']);

function differingFields(one: object, other: Readonly<Record<string, unknown>>): string {
  const differing = Object.entries(one).filter(([key, value]) => !isDeepStrictEqual(value, other[key]));
  return differing.map(([key]) => `${key} differs`).join(', ');
}

async function settle<W extends ImportedMetadata, P>(
  kind: AdoptedKind<W, P>,
  context: RequestContext,
  wanted: W,
  mode: AdoptionMode,
): Promise<readonly [OutcomeKind, string?]> {
  const present = await kind.find(wanted.id);
  if (present === undefined) {
    if (mode === 'look') return ['missing'];
    const { id, createdAt, updatedAt } = wanted;
    await kind.add(context, wanted, { id, createdAt, updatedAt });
    return ['added'];
  }
  const differing = differingFields(kind.essence(wanted), kind.essence(present));
  if (differing === '') return ['present'];
  const mayChange = mode === 'update' || (mode === 'take' && kind.isUntouched?.(present) === true);
  if (kind.change === undefined || !mayChange) return ['different', differing];
  await kind.change(context, wanted);
  return ['updated'];
}

/** Adopts one resource. */
async function adopt<W extends ImportedMetadata, P>(
  kind: AdoptedKind<W, P>,
  context: RequestContext,
  given: Given<W>,
  mode: AdoptionMode,
): Promise<AdoptionOutcome> {
  const { thing } = kind;
  if (!given.ok) return { thing, id: given.id, name: given.name, outcome: 'refused', reason: given.reason };
  const [id, name] = [given.value.id, kind.nameOf(given.value)];
  try {
    const [outcome, reason] = await settle(kind, context, given.value, mode);
    return { thing, id, name, outcome, reason };
  } catch (error) {
    if (error instanceof DomainError && PRESENT.has(error.kind)) {
      return { thing, id, name, outcome: 'present', reason: 'it has another id here' };
    }
    return { thing, id, name, outcome: 'refused', reason: reasonOf(error) };
  }
}

function kindsOver({ store, pools, tsigKeys, tlds, blacklists, transferRequests }: OtherResourcesDeps) {
  const pool: AdoptedKind<SourcePool, Pool> = {
    thing: 'pool',
    nameOf: ({ name }) => name,
    find: (id) => store.pools.find(id),
    essence: ({ name, description, projectId, attributes, nsRecords }) => ({
      name,
      description,
      project_id: projectId,
      attributes,
      ns_records: nsRecords,
    }),
    add: (context, wanted, kept) => pools.create(context, draftOf(wanted), { kept }),
    change: (context, wanted) => pools.update(context, wanted.id, draftOf(wanted)),
    isUntouched: ({ id, updatedAt }) => id === DEFAULT_POOL_ID && updatedAt === null,
  };
  const tsigKey: AdoptedKind<SourceTsigKey, SourceTsigKey> = {
    thing: 'tsigkey',
    nameOf: ({ name }) => name,
    find: (id) => store.tsigKeys.find(id),
    essence: ({ name, algorithm, secret, scope, resourceId }) => ({
      name,
      algorithm,
      secret,
      scope,
      resource_id: resourceId,
    }),
    add: (context, wanted, kept) => tsigKeys.create(context, keyOf(wanted), { kept }),
    change: (context, wanted) => tsigKeys.update(context, wanted.id, keyOf(wanted)),
  };
  const tld: AdoptedKind<SourceTld, SourceTld> = {
    thing: 'tld',
    nameOf: ({ name }) => name,
    find: (id) => store.tlds.find(id),
    essence: ({ name, description }) => ({ name, description }),
    add: (context, wanted, kept) => tlds.create(context, wanted, { kept }),
    change: (context, { id, name, description }) => tlds.update(context, id, { name, description }),
  };
  function requirePattern(pattern: string): void {
    const message = blacklists.patternFault(pattern);
    if (message !== undefined) throw invalidObject([{ path: ['pattern'], message }]);
  }
  const blacklist: AdoptedKind<SourceBlacklist, SourceBlacklist> = {
    thing: 'blacklist',
    nameOf: ({ pattern }) => pattern,
    find: (id) => store.blacklists.find(id),
    essence: ({ pattern, description }) => ({ pattern, description }),
    async add(context, wanted, kept) {
      requirePattern(wanted.pattern);
      await blacklists.create(context, wanted, { kept });
    },
    async change(context, { id, pattern, description }) {
      requirePattern(pattern);
      await blacklists.update(context, id, { pattern, description });
    },
  };
  const request: AdoptedKind<SourceTransferRequest, SourceTransferRequest> = {
    thing: 'transfer request',
    nameOf: ({ zoneName }) => zoneName,
    find: (id) => store.transfers.requests.find(id),
    essence: ({ zoneId, targetProjectId, description, key }) => ({
      zone_id: zoneId,
      target_project_id: targetProjectId,
      description,
      key,
    }),
    add: (context, { zoneId, targetProjectId, description, key }, kept) =>
      transferRequests.create(context, zoneId, { targetProjectId, description }, { kept: { ...kept, key } }),
  };
  return { pool, tsigKey, tld, blacklist, request };
}

function draftOf({ name, description, projectId, attributes, nsRecords }: SourcePool) {
  return { name, description, projectId, attributes, nsRecords };
}

function keyOf({ name, spelling, algorithm, secret, scope, resourceId }: SourceTsigKey) {
  return { name, spelling, algorithm, secret, scope, resourceId };
}

export function adoptOtherResources(deps: OtherResourcesDeps) {
  const kinds = kindsOver(deps);

  async function* each<W extends ImportedMetadata, P>(
    kind: AdoptedKind<W, P>,
    context: RequestContext,
    all: AsyncIterable<Given<W>>,
    mode: AdoptionMode,
  ): AsyncGenerator<AdoptionOutcome, void> {
    for await (const given of all) yield await adopt(kind, context, given, mode);
  }

  return {
    /** Adopts what zones need. */
    async *before(
      context: RequestContext,
      source: AdoptionSource,
      mode: AdoptionMode,
    ): AsyncGenerator<AdoptionOutcome, void> {
      yield* each(kinds.pool, context, source.pools(), mode);
      yield* each(kinds.tsigKey, context, source.tsigKeys(), mode);
    },

    /** Adopts what needs zones, and then what could refuse them: existing zones are not checked again. */
    async *after(
      context: RequestContext,
      source: AdoptionSource,
      mode: AdoptionMode,
    ): AsyncGenerator<AdoptionOutcome, void> {
      for await (const given of source.transferRequests()) {
        if (given.ok && given.value.status !== 'ACTIVE') continue;
        yield await adopt(kinds.request, context, given, mode);
      }
      yield* each(kinds.tld, context, source.tlds(), mode);
      yield* each(kinds.blacklist, context, source.blacklists(), mode);
    },

    /** Adopts the limits of one project, if they differ from those in force here. */
    async quotas(
      context: RequestContext,
      source: AdoptionSource,
      projectId: string,
      mode: AdoptionMode,
    ): Promise<AdoptionOutcome> {
      const about = { thing: 'quotas', id: projectId, name: null } as const;
      const given = await source.quotas(projectId);
      if (!given.ok) return { ...about, outcome: 'refused', reason: given.reason };
      try {
        const limits = await deps.quotas.get(context, projectId);
        const differing = differingFields(given.value, limits);
        if (differing === '') return { ...about, outcome: 'present' };
        if (mode === 'look') return { ...about, outcome: 'different', reason: differing };
        await deps.quotas.set(context, projectId, given.value);
        return { ...about, outcome: 'updated' };
      } catch (error) {
        return { ...about, outcome: 'refused', reason: reasonOf(error) };
      }
    },
  };
}
