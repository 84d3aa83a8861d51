import { DomainError, type ErrorKind } from '../../model/errors.ts';

/** Contacts for refusals, in the operator's words; '' for none. */
export interface RefusalContacts {
  readonly blacklist: string;
  readonly quota: string;
}

const BY_BLACKLIST: readonly ErrorKind[] = [
  'blacklisted_name',
  'unchecked_name',
  'blacklisted_recordset',
  'unchecked_recordset',
];

function contactFor({ kind, details }: DomainError, { blacklist, quota }: RefusalContacts): string {
  if (BY_BLACKLIST.includes(kind)) return blacklist;
  return kind === 'over_quota' && 'quota' in details ? quota : '';
}

/** The refusal with its contact as the hint; unchanged if it has a hint or there is no contact. */
export function withContact(error: unknown, contacts: RefusalContacts): unknown {
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
