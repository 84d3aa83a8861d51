/** Rules for checks and previews. Designate has none of them. */
export const ASKING_RULES = {
  check_blacklists: {
    operations: [
      'POST /v2/blacklists/check',
      'POST /v2/blacklists/previews',
      'GET /v2/blacklists/previews/{preview_id}',
      'GET /v2/blacklists/previews/{preview_id}/zones',
      'DELETE /v2/blacklists/previews/{preview_id}',
    ],
    default: 'rule:admin',
    description:
      'Check names against the blacklists, and preview which existing zones of all projects a pattern matches.',
  },
} as const;
