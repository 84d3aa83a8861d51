import { text } from './kinds.ts';
import { option } from './option.ts';

/** Contacts for users whose requests are rejected. */
export const CONTACT_OPTIONS = {
  blacklistContact: option(
    'DEFAULT',
    'blacklist_contact',
    text,
    '',
    'Contact for names that a blacklist rejects, such as an email address. Shown as a hint in the error.',
  ),
  quotaContact: option(
    'DEFAULT',
    'quota_contact',
    text,
    '',
    'Contact for a higher quota. Shown as a hint in quota errors.',
  ),
};
