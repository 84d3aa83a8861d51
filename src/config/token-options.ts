import { integer } from './kinds.ts';
import { option } from './option.ts';

/** The section `[tokens]`. */
export const TOKEN_OPTIONS = {
  maxTokensPerProject: option(
    'tokens',
    'max_per_project',
    integer(0, 100_000),
    '100',
    'Maximum number of live API tokens of a project. Tokens of administrators do not count.',
  ),
  maxTokenDaysFromKeystone: option(
    'tokens',
    'max_lifetime_from_keystone',
    integer(1, 36500),
    '90',
    'The latest end of an API token that a Keystone user creates, in days. A user who is disabled in Keystone keeps the token until then.',
  ),
} as const;
