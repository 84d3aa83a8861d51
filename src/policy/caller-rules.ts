/** Rules for callers, API tokens and usage. Designate has none of them. */
export const CALLER_RULES = {
  get_caller: {
    operations: ['GET /v2/caller'],
    default: '@',
    description: 'Show the caller, and what the caller may do in its own project.',
  },
  list_tokens: {
    operations: ['GET /v2/tokens', 'GET /v2/tokens/{token_id}'],
    default: 'rule:admin',
    description: 'List and show the API tokens of all projects, without their secrets.',
  },
  create_token: {
    operations: ['POST /v2/tokens'],
    default: 'rule:admin',
    description: 'Create an API token for any project, with any role.',
  },
  revoke_token: {
    operations: ['DELETE /v2/tokens/{token_id}'],
    default: 'rule:admin',
    description: 'Revoke an API token.',
  },
  create_own_token: {
    operations: ['POST /v2/tokens'],
    default: 'role:member and rule:owner',
    description:
      'Create an API token for the own project, which can do no more than the caller. Asked where create_token refuses.',
  },
  list_own_tokens: {
    operations: ['GET /v2/tokens', 'GET /v2/tokens/{token_id}'],
    default: 'role:member and rule:owner',
    description: 'List and show the API tokens of the own project. Asked where list_tokens refuses.',
  },
  revoke_own_token: {
    operations: ['DELETE /v2/tokens/{token_id}'],
    default: 'role:member and rule:owner',
    description: 'Revoke an API token of the own project. Asked where revoke_token refuses.',
  },
  check_access: {
    operations: ['POST /v2/access/check'],
    default: '@',
    description: 'Ask what the caller itself may do.',
  },
  get_usage: {
    operations: ['GET /v2/usage', 'GET /v2/quota_defaults'],
    default: 'rule:admin',
    description: 'List the usage and limits of all projects, and show the default limits.',
  },
} as const;
