/** Who may do what: every rule, the operations it guards, and its default. The names are Designate's. */
import type { RuleName } from '../model/access/rule-name.ts';
import { RESOURCE_RULES } from '../model/combined-resources.ts';
import type { RuleDefinition } from '../model/resource-part.ts';
import { ASKING_RULES } from './asking-rules.ts';
import { BLACKLIST_LIST_RULES } from './blacklist-list-rules.ts';
import { CALLER_RULES } from './caller-rules.ts';
import { DELETED_ZONE_RULES } from './deleted-zone-rules.ts';
import { EVENT_RULES } from './event-rules.ts';
import { METRICS_RULES } from './metrics-rules.ts';
import { PUBLICATION_RULES } from './publication-rules.ts';
import { RECORDSET_RULES } from './recordset-rules.ts';
import { SHARE_RULES } from './share-rules.ts';
import { TRANSFER_RULES } from './transfer-rules.ts';
import { ZONE_FILE_RULES } from './zone-file-rules.ts';
import { ZONE_RULES } from './zone-rules.ts';

function named<N extends string>(
  rules: Readonly<Record<N, RuleDefinition>>,
): readonly (RuleDefinition & { readonly name: N })[] {
  return Object.entries<RuleDefinition>(rules).map(([name, rule]) => ({ name: name as N, ...rule }));
}

/** Base rules. Overriding one affects every rule that refers to it. */
export const BASE_RULES = named({
  admin: {
    operations: [],
    default: 'role:admin',
    description: 'An administrator of the service.',
  },
  owner: {
    operations: [],
    default: 'project_id:%(project_id)s',
    description: 'Anyone in the project that the operation concerns.',
  },
  admin_or_owner: {
    operations: [],
    default: 'rule:admin or rule:owner',
    description: 'An administrator, or anyone in the project.',
  },
  project_member: {
    operations: [],
    default: 'role:member and rule:owner',
    description: 'Anyone with write access to the project.',
  },
  project_reader: {
    operations: [],
    default: 'role:reader and rule:owner',
    description: 'Anyone with read access to the project.',
  },
  admin_or_project_member: {
    operations: [],
    default: 'rule:admin or rule:project_member',
    description: 'An administrator, or anyone with write access to the project.',
  },
  admin_or_project_reader: {
    operations: [],
    default: 'rule:admin or rule:project_reader',
    description: 'An administrator, or anyone with read access to the project.',
  },
});

const BLACKLIST_RULES = {
  create_blacklist: {
    operations: ['POST /v2/blacklists'],
    default: 'rule:admin',
    description: 'Create a blacklist.',
  },
  find_blacklists: {
    operations: ['GET /v2/blacklists'],
    default: 'rule:admin',
    description: 'List all blacklists.',
  },
  find_blacklist: {
    operations: [],
    default: 'rule:admin',
    description: 'Accepted so that policy files of Designate load; no operation uses it.',
  },
  get_blacklist: {
    operations: ['GET /v2/blacklists/{blacklist_id}'],
    default: 'rule:admin',
    description: 'Show a blacklist.',
  },
  update_blacklist: {
    operations: ['PATCH /v2/blacklists/{blacklist_id}'],
    default: 'rule:admin',
    description: 'Change a blacklist.',
  },
  delete_blacklist: {
    operations: ['DELETE /v2/blacklists/{blacklist_id}'],
    default: 'rule:admin',
    description: 'Delete a blacklist.',
  },
  use_blacklisted_zone: {
    operations: ['POST /v2/zones', 'POST /v2/zones/tasks/imports'],
    default: '!',
    description:
      'Create a zone although its name matches a blacklist. By default no one may, not even an administrator.',
  },
} as const;

const QUOTA_RULES = {
  get_quotas: {
    operations: [
      'GET /v1/quotas/{tenant_id}',
      'GET /v2/quotas',
      'GET /v2/quotas/{project_id}',
      'GET /v2/limits',
    ],
    default: 'rule:admin_or_owner',
    description: 'Show the limits of a project.',
  },
  set_quota: {
    operations: ['PUT /v1/quotas/{tenant_id}', 'PATCH /v2/quotas/{project_id}'],
    default: 'rule:admin',
    description: 'Change the limits of a project.',
  },
  reset_quotas: {
    operations: ['DELETE /v1/quotas/{tenant_id}', 'DELETE /v2/quotas/{project_id}'],
    default: 'rule:admin',
    description: 'Restore the limits of a project to the defaults.',
  },
} as const;

const HEADER_RULES = {
  all_tenants: {
    operations: ['X-Auth-All-Projects: true'],
    default: 'rule:admin',
    description: 'See the zones of all projects at once.',
  },
  use_sudo: {
    operations: ['X-Auth-Sudo-Project-ID', 'X-Auth-Sudo-Tenant-ID'],
    default: 'rule:admin',
    description: 'Act for another project.',
  },
  edit_managed_records: {
    operations: ['X-Designate-Edit-Managed-Records: true'],
    default: 'rule:admin',
    description:
      'Request changes to managed records. The SOA and NS records at the apex still cannot be changed.',
  },
} as const;

/** Rules that guard operations. A rule name in the domain without a definition here does not compile. */
export const GUARD_RULES = named({
  ...BLACKLIST_RULES,
  ...ASKING_RULES,
  ...RESOURCE_RULES,
  ...BLACKLIST_LIST_RULES,
  ...QUOTA_RULES,
  ...ZONE_RULES,
  ...DELETED_ZONE_RULES,
  ...RECORDSET_RULES,
  ...SHARE_RULES,
  ...ZONE_FILE_RULES,
  ...TRANSFER_RULES,
  ...PUBLICATION_RULES,
  ...EVENT_RULES,
  ...CALLER_RULES,
  ...METRICS_RULES,
  ...HEADER_RULES,
} satisfies Readonly<Record<RuleName, RuleDefinition>>);
