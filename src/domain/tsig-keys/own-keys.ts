/** What callers may do who reach only the TSIG keys that their project has made. */
import type { RuleName } from '../../model/access/rule-name.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Transaction } from '../../model/store.ts';
import type { TsigKey, TsigKeyDraft } from '../../model/tsig-keys/tsig-key.ts';
import type { Emit } from '../unit-of-work/unit-of-work.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { tsigKeyTarget, withoutSecret } from '../zones/zone-keys.ts';
import { keyOfZone, lockOwnZone, requireFewKeys } from './zone-key.ts';

/** The rules for an operation on every key, and on the keys of the caller's project. */
export interface KeyRules {
  readonly all: RuleName;
  readonly own: RuleName;
}

/** @throws DomainError `duplicate_tsigkey` */
export async function insertKey(tx: Transaction, emit: Emit, key: TsigKey): Promise<void> {
  if (!(await tx.tsigKeys.insert(key))) throw new DomainError('duplicate_tsigkey');
  emit({ type: 'tsigkey.created', target: tsigKeyTarget(key), after: withoutSecret(key) });
}

export function ownKeys({ clock, access, unitOfWork }: Omit<UseCaseDeps, 'store'>) {
  return {
    /**
     * True if the caller reaches every key, false for those of its project alone.
     * @throws DomainError `access_denied`
     */
    reachesAll(context: RequestContext, { all, own }: KeyRules): boolean {
      const target = { projectId: context.projectId };
      if (access.allows(context, all, target)) return true;
      access.require(context, own, target);
      return false;
    },

    /** @throws DomainError `tsigkey_not_found`, `access_denied` */
    requireOwn(context: RequestContext, key: TsigKey | undefined, { all, own }: KeyRules): TsigKey {
      const { scope } = context;
      // As in Designate: a key of the administrators cannot be seen, and its deletion is denied.
      const isOthers = key !== undefined && key.projectId === undefined;
      if (isOthers && all === 'delete_tsigkey')
        access.require(context, all, { projectId: context.projectId });
      const isSeen = scope === 'all projects' || scope.projectId === key?.projectId;
      if (key?.projectId === undefined || !isSeen) throw new DomainError('tsigkey_not_found');
      access.require(context, own, { projectId: key.projectId });
      return key;
    },

    /** @throws DomainError `zone_not_found`, `zone_leaving`, `over_quota`, `duplicate_tsigkey`, `invalid_object` */
    createOfZone(
      context: RequestContext,
      draft: TsigKeyDraft,
      options: CreateOptions<TsigKey>,
    ): Promise<TsigKey> {
      const { resourceId } = draft;
      return unitOfWork.change(
        context,
        { kind: 'zone', id: resourceId },
        async (tx, emit) => {
          const zone = await lockOwnZone(tx, access, context, resourceId);
          const key = keyOfZone(draft, zone, clock.now());
          requireFewKeys(await tx.tsigKeys.lockOfZone(zone.id));
          await insertKey(tx, emit, key);
          return key;
        },
        options,
      );
    },
  };
}
