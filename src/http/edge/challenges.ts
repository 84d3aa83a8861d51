/** The `WWW-Authenticate` challenges of refusals (RFC 6750, section 3). */
import type { NobodyReason } from '../../domain/access/authentication.ts';
import type { DomainError } from '../../model/errors.ts';

/** Characters that RFC 6750 forbids in an error_description. */
const NOT_DESCRIBED = /[^\x20\x21\x23-\x5b\x5d-\x7e]/g;

function challenge(error: string, description: string): string {
  return `Bearer error="${error}", error_description="${description.replace(NOT_DESCRIBED, '?')}"`;
}

const UNKNOWN = challenge('invalid_token', 'The token is unknown.');

/** A missing token has no error code. Only a caller with the right secret learns that a token has expired. */
export const CHALLENGES: Readonly<Record<NobodyReason, string>> = {
  missing: 'Bearer',
  unknown: UNKNOWN,
  expired: challenge('invalid_token', 'The token has expired.'),
  forbidden_here: challenge('invalid_token', 'The access rules of the token do not allow the request.'),
  other_network: challenge('insufficient_scope', 'The scope does not allow it: networks.'),
  unknown_service: challenge('invalid_token', 'The service token is unknown or has expired.'),
  wrong_password: 'Bearer',
};

/** The challenge for an authenticated caller that lacks a permission. */
export function scopeChallenge({ details, hint }: DomainError): string {
  const { rule, missing_role: role, scope } = details;
  if (scope !== undefined) return challenge('insufficient_scope', `The scope does not allow it: ${scope}.`);
  if (rule === undefined) return challenge('insufficient_scope', hint ?? 'The token does not allow it.');
  const lack = role === undefined ? 'does not allow it' : `needs the role ${role}`;
  return challenge('insufficient_scope', `The rule ${rule} ${lack}.`);
}
