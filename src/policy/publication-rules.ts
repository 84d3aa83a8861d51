/** The rules of what administers publication, with the names that Designate gives them. */
export const PUBLICATION_RULES = {
  create_tsigkey: {
    operations: ['POST /v2/tsigkeys'],
    default: 'rule:admin',
    description: 'Create a TSIG key.',
  },
  find_tsigkeys: {
    operations: ['GET /v2/tsigkeys'],
    default: 'rule:admin',
    description: 'List TSIG keys, with their secrets.',
  },
  get_tsigkey: {
    operations: ['GET /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin',
    description: 'Show a TSIG key, with its secret.',
  },
  update_tsigkey: {
    operations: ['PATCH /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin',
    description: 'Change a TSIG key.',
  },
  delete_tsigkey: {
    operations: ['DELETE /v2/tsigkeys/{tsigkey_id}'],
    default: 'rule:admin',
    description: 'Delete a TSIG key.',
  },
} as const;
