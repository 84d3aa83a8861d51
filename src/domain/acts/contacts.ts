import { DomainError, type ErrorKind } from '../../model/errors.ts';

/** Whom to ask about refusals, in the operator's words; '' for nobody. */
export interface Contacts {
  readonly blacklist: string;
  readonly quota: string;
}

const BY_BLACKLIST: readonly ErrorKind[] = [
  'blacklisted_name',
  'unchecked_name',
  'blacklisted_recordset',
  'unchecked_recordset',
];

function contactFor({ kind, details }: DomainError, { blacklist, quota }: Contacts): string {
  if (BY_BLACKLIST.includes(kind)) return blacklist;
  return kind === 'over_quota' && 'quota' in details ? quota : '';
}

/** The same refusal; it says whom to ask, if there is somebody. */
export function withContact(error: unknown, contacts: Contacts): unknown {
  if (!(error instanceof DomainError) || error.hint !== undefined) return error;
  const contact = contactFor(error, contacts);
  if (contact === '') return error;
  const { kind, message, faults, details } = error;
  return new DomainError(kind, message, {
    faults,
    details,
    cause: error,
    hint: `Ask ${contact.replace(/\.$/, '')}.`,
  });
}
