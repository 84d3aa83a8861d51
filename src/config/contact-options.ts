import { text } from './kinds.ts';
import { option } from './option.ts';

/** Whom users ask when they are refused. */
export const CONTACT_OPTIONS = {
  blacklistContact: option(
    'DEFAULT',
    'blacklist_contact',
    text,
    '',
    'Whom to ask about a name that a blacklist refuses, such as a mail address. A refusal then has a hint that says so.',
  ),
  quotaContact: option(
    'DEFAULT',
    'quota_contact',
    text,
    '',
    'Whom to ask for a higher quota. A refusal beyond a quota then has a hint that says so.',
  ),
};
