import type { CredentialScope } from '../scopes/credential-scope.ts';
import type { ShareScope } from '../scopes/share-scope.ts';

/** What a credential may read: the keys of its scope that concern reading. */
export type ReadLimits = Pick<CredentialScope, 'zones' | 'names' | 'types'>;

/** The resources that an operation may reach: those of one project, or of all projects. */
export type Scope =
  | {
      readonly projectId: string;
      /** Narrows them to what the scope of the caller's credential allows; undefined for all. */
      readonly only?: ReadLimits | undefined;
    }
  | 'all projects';

/** The limits of a scope; undefined if it lets read everything, as one does that limits actions alone. */
export function limitsIn(scope: Scope): ReadLimits | undefined {
  if (scope === 'all projects') return undefined;
  const { zones, names, types } = scope.only ?? {};
  return (zones ?? names ?? types) === undefined ? undefined : scope.only;
}

/**
 * The limits of a scope in a zone that it sees, each of which has to allow what is read: those of the caller's credential, and of
 * the share by which its project sees the zone.
 */
export function limitsInZone(
  scope: Scope,
  { shareScope }: { readonly shareScope?: ShareScope | undefined },
): readonly ReadLimits[] {
  const { names, types } = shareScope ?? {};
  const ofShare = (names ?? types) === undefined ? undefined : shareScope;
  return [limitsIn(scope), ofShare].filter((limits) => limits !== undefined);
}

/** Whether a scope leaves out recordsets of a zone that it sees. */
export function hasHiddenRecordsets(
  scope: Scope,
  zone: { readonly shareScope?: ShareScope | undefined },
): boolean {
  return limitsInZone(scope, zone).some(({ names, types }) => (names ?? types) !== undefined);
}
