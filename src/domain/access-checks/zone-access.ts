/** Who may change a zone: by the rules of the policy, and by the scopes of credentials and shares. */
import type { Caller } from '../../model/access/caller.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { ScopeJson } from '../../model/scopes/credential-scope.ts';
import { type ShareScope, shareScopeFrom } from '../../model/scopes/share-scope.ts';
import type { Share } from '../../model/shares/share.ts';
import type { ApiToken } from '../../model/tokens/api-token.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { readScope } from '../scopes/scope-shape.ts';
import { liveAmong } from '../tokens/live-tokens.ts';
import { callerByKey } from '../tsig-keys/key-caller.ts';
import { readUpdateScope } from '../tsig-keys/update-scope.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, isReachedByShare, policyTarget } from '../zones/visible-zone.ts';

/** The lists that can be longer than what is shown of them. */
export const ACCESS_LISTS = ['shares', 'tokens', 'keys'] as const;
type AccessList = (typeof ACCESS_LISTS)[number];

const MAX_SHARES_SHOWN = 100;
/** Maximum number of tokens that are read, of the owner and of all other projects. */
const MAX_TOKENS_READ = 200;
const MAX_KEYS_SHOWN = 100;

const RECORDSET_WRITES: readonly RuleName[] = ['create_recordset', 'update_recordset', 'delete_recordset'];
const WRITES: readonly RuleName[] = [...RECORDSET_WRITES, 'update_zone', 'delete_zone'];

/** What a scope says of the recordsets that its token may change. Its other keys concern the project alone. */
const SHOWN_TO_OTHERS = ['names', 'types', 'actions'];

/** A token of the owner. */
export type OwnersToken = Pick<
  ApiToken,
  'id' | 'projectId' | 'roles' | 'description' | 'scope' | 'expiresAt'
>;

/** A token of a project that the zone is shared with. */
export type ShareesToken = Pick<ApiToken, 'id' | 'projectId' | 'scope'>;

export interface ZoneAccess {
  /** The project that the zone belongs to. */
  readonly owner: string;
  readonly shares: readonly Share[];
  readonly tokens: readonly (OwnersToken | ShareesToken)[];
  readonly keys: readonly TsigKey[];
  /** The lists that leave entries out. */
  readonly cut: readonly AccessList[];
}

/** A project that reaches the zone. */
interface Party {
  readonly projectId: string;
  /** What its share narrows; undefined for nothing, and for the owner. */
  readonly shareScope?: ShareScope | undefined;
}

interface Listed<T> {
  readonly items: readonly T[];
  readonly isCut: boolean;
}

function partyOf({ targetProjectId: projectId, scope }: Share): Party {
  return { projectId, shareScope: scope && shareScopeFrom(scope) };
}

function callerByToken({ id, projectId, userId, roles, scope, ancestors, expiresAt }: ApiToken): Caller {
  const read = scope && readScope(scope);
  const credential = { kind: 'token', id, scope: read, ancestors, expiresAt, rates: new Map() } as const;
  return { projectId, userId, roles, credential };
}

function seenByOthers({ id, projectId, scope }: ApiToken): ShareesToken {
  const shown = Object.entries(scope ?? {}).filter(([key]) => SHOWN_TO_OTHERS.includes(key));
  return { id, projectId, scope: shown.length === 0 ? null : (Object.fromEntries(shown) as ScopeJson) };
}

/** The use case that lists who may change a zone. */
export function zoneAccessUseCases({
  store,
  clock,
  access,
}: Pick<UseCaseDeps, 'store' | 'clock' | 'access'>) {
  /** Whether a caller may do something by a rule, in some part of the zone. */
  function passes(asking: RequestContext, caller: Caller, zone: Zone, rule: RuleName): boolean {
    const { projectId } = caller;
    const context: RequestContext = { caller, projectId, scope: { projectId }, origin: asking.origin };
    const target = { ...policyTarget(context, zone), recordsetProjectId: projectId };
    return (
      access.isPossible(context, rule, target) && access.refusalByScope(context, rule, target) === undefined
    );
  }

  /** Those of a project's tokens that may change the zone. */
  async function ableAmong(
    asking: RequestContext,
    zone: Zone,
    tokens: readonly ApiToken[],
  ): Promise<readonly ApiToken[]> {
    const able: ApiToken[] = [];
    await eachInTurns(
      tokens,
      (token) => {
        const caller = callerByToken(token);
        if (WRITES.some((rule) => passes(asking, caller, zone, rule))) able.push(token);
      },
      new TimeSlices(asking.caller.projectId),
    );
    return able;
  }

  /** The live tokens of some projects that may change the zone. */
  async function tokensOf(
    asking: RequestContext,
    zone: Zone,
    parties: readonly Party[],
  ): Promise<Listed<ApiToken>> {
    const now = clock.now();
    const items: ApiToken[] = [];
    let left = MAX_TOKENS_READ;
    for (const { projectId, shareScope } of parties) {
      const found = await store.apiTokens.unexpiredOf(projectId, now, left + 1);
      const live = await liveAmong(found.slice(0, left), (id) => store.apiTokens.find(id), now);
      items.push(...(await ableAmong(asking, { ...zone, shareScope }, live)));
      if (found.length > left) return { items, isCut: true };
      left -= found.length;
    }
    return { items, isCut: false };
  }

  /** A key of another project has been left by an older process, and opens nothing. */
  function opens(asking: RequestContext, zone: Zone, key: TsigKey): boolean {
    const update = key.permissions?.update;
    if (!update || (key.projectId ?? zone.projectId) !== zone.projectId) return false;
    const caller = callerByKey(key, zone.projectId, readUpdateScope(update));
    const may = (rule: RuleName) => passes(asking, caller, zone, rule);
    return may('change_recordsets') && RECORDSET_WRITES.some(may);
  }

  async function keysOf(asking: RequestContext, zone: Zone): Promise<Listed<TsigKey>> {
    const found = await store.tsigKeys.updatersOf(zone.id, MAX_KEYS_SHOWN + 1);
    const items = found.slice(0, MAX_KEYS_SHOWN).filter((key) => opens(asking, zone, key));
    return { items, isCut: found.length > MAX_KEYS_SHOWN };
  }

  async function sharesOf({ scope, caller }: RequestContext, zoneId: string): Promise<Listed<Share>> {
    const query = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: MAX_SHARES_SHOWN } as const;
    const { items, more } = await store.shares.list(query, { zoneId, scope }, caller.projectId);
    return { items, isCut: more };
  }

  return {
    /** @throws DomainError `zone_not_found`, `access_denied` */
    async get(context: RequestContext, zoneId: string): Promise<ZoneAccess> {
      const found = await getZone(store, access, context, 'get_zone_access', zoneId);
      const zone = { ...found, shareScope: undefined };
      const { projectId: owner } = zone;
      const shares = await sharesOf(context, zoneId);
      const own = await tokensOf(context, zone, [{ projectId: owner }]);
      const others = await tokensOf(context, zone, shares.items.map(partyOf));
      const keys = await keysOf(context, zone);
      const isCut: Readonly<Record<AccessList, boolean>> = {
        shares: shares.isCut,
        tokens: shares.isCut || own.isCut || others.isCut,
        keys: keys.isCut,
      };
      return {
        owner,
        shares: shares.items,
        tokens: [
          ...(isReachedByShare(context, zone) ? own.items.map(seenByOthers) : own.items),
          ...others.items.map(seenByOthers),
        ],
        keys: keys.items,
        cut: ACCESS_LISTS.filter((list) => isCut[list]),
      };
    },
  };
}

export type ZoneAccessUseCases = ReturnType<typeof zoneAccessUseCases>;
