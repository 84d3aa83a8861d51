/** What a share narrows for the project that it lets in. */
import type { CredentialScope, ScopedAction, ScopeJson, ScopeKey } from './credential-scope.ts';
import { type NamePattern, parseRelativePattern } from './name-pattern.ts';

export type ShareScope = Pick<CredentialScope, 'names' | 'types' | 'actions'>;

export const SHARE_SCOPE_KEYS = ['names', 'types', 'actions'] as const satisfies readonly ScopeKey[];
export const SHARED_ACTIONS = ['create', 'update', 'delete'] as const satisfies readonly ScopedAction[];

function patternFrom(text: string): NamePattern {
  const parsed = parseRelativePattern(text);
  if (!parsed.ok) throw new Error(`The scope of a share is stored with a pattern that is none: ${text}`);
  return parsed.value;
}

/** Reads a scope in its stored form. */
export function shareScopeFrom({ names, types, actions }: ScopeJson): ShareScope {
  return {
    ...(names === undefined ? {} : { names: (names as readonly string[]).map(patternFrom) }),
    ...(types === undefined ? {} : { types: types as readonly string[] }),
    ...(actions === undefined ? {} : { actions: actions as readonly ScopedAction[] }),
  };
}
