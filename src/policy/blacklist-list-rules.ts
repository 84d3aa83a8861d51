/** Rules for named blacklist lists, and for imports. */
export const BLACKLIST_LIST_RULES = {
  import_blacklists: {
    operations: ['POST /v2/blacklists/import'],
    default: 'rule:admin',
    description: 'Import a file of patterns or names into the blacklists.',
  },
  get_blacklist_import: {
    operations: ['GET /v2/blacklists/imports/{import_id}'],
    default: 'rule:admin',
    description: 'Show an import, sync or removal of blacklists.',
  },
  find_blacklist_lists: {
    operations: ['GET /v2/blacklists/lists'],
    default: 'rule:admin',
    description: 'List the named lists of blacklists.',
  },
  get_blacklist_list: {
    operations: ['GET /v2/blacklists/lists/{list_name}'],
    default: 'rule:admin',
    description: 'Show a named list of blacklists.',
  },
  update_blacklist_list: {
    operations: ['PATCH /v2/blacklists/lists/{list_name}'],
    default: 'rule:admin',
    description: 'Change the mode or expiry of all blacklists on a list.',
  },
  delete_blacklist_list: {
    operations: ['DELETE /v2/blacklists/lists/{list_name}'],
    default: 'rule:admin',
    description: 'Remove a list, and its blacklists that are on no other list.',
  },
} as const;
