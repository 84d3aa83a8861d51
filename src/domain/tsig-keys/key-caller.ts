import type { Caller } from '../../model/access/caller.ts';
import type { CredentialScope } from '../../model/scopes/credential-scope.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';

/** A key that changes a zone acts as a member of the project that owns the zone. */
export function callerByKey(
  { id, name }: Pick<TsigKey, 'id' | 'name'>,
  projectId: string,
  scope: CredentialScope,
): Caller {
  const credential = { kind: 'key', id, scope, ancestors: [], expiresAt: null, rates: new Map() } as const;
  return { projectId, userId: name, roles: ['member'], credential };
}
