/** Rules for TLDs, under Designate's names. */
export const TLD_RULES = {
  create_tld: {
    operations: ['POST /v2/tlds'],
    default: 'rule:admin',
    description: 'Create a TLD.',
  },
  find_tlds: {
    operations: ['GET /v2/tlds'],
    default: 'rule:admin',
    description: 'List TLDs.',
  },
  get_tld: {
    operations: ['GET /v2/tlds/{tld_id}'],
    default: 'rule:admin',
    description: 'Show a TLD.',
  },
  update_tld: {
    operations: ['PATCH /v2/tlds/{tld_id}'],
    default: 'rule:admin',
    description: 'Change a TLD.',
  },
  delete_tld: {
    operations: ['DELETE /v2/tlds/{tld_id}'],
    default: 'rule:admin',
    description: 'Delete a TLD.',
  },
} as const;
