/** The scope of the updates that a TSIG key signs. */
import type { CredentialScope } from '../../model/scopes/credential-scope.ts';
import type { UpdateScope } from '../../model/tsig-keys/tsig-key.ts';
import { scopeShape, scopeToJson } from '../scopes/scope-shape.ts';
import { readAs, type Shape } from '../shapes/shape.ts';

const shape = scopeShape(['names', 'types', 'actions', 'networks', 'rate', 'record_lifetime']);
const ZONE_SCOPE_FAULT = 'A key does not create tokens. Remove this action.';

/** The JSON form, without members that are undefined. */
function jsonOf(scope: CredentialScope | null): UpdateScope {
  return scope === null ? {} : JSON.parse(JSON.stringify(scopeToJson(scope)));
}

/** Reads a scope in its canonical form; null, for no updates, as null. */
export const updateScopeShape: Shape<UpdateScope | null> = {
  schema: shape.schema,
  read(given, faults) {
    if (given === null) return null;
    const scope = shape.read(given, faults);
    if (scope === undefined) return undefined;
    if (scope?.actions?.includes('create_token')) return faults.add(ZONE_SCOPE_FAULT);
    return jsonOf(scope);
  },
};

export function readUpdateScope(stored: UpdateScope): CredentialScope {
  return readAs(shape, stored) ?? {};
}
