import type { CredentialScope } from '../scopes/credential-scope.ts';

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
