import { describe, expect, test } from 'vitest';
import type { RuleName } from '../../src/model/access/rule-name.ts';
import { loadPolicy } from '../../src/policy/enforcer.ts';
import { BASE_RULES, GUARD_RULES } from '../../src/policy/rules.ts';

const people = {
  admin: { projectId: 'admin', userId: 'root', roles: ['admin'] },
  member: { projectId: 'p', userId: 'm', roles: ['member'] },
  reader: { projectId: 'p', userId: 'r', roles: ['reader'] },
  guest: { projectId: 'p', userId: 'g', roles: [] },
  stranger: { projectId: 'q', userId: 's', roles: ['member'] },
};
type Person = keyof typeof people;

const granted: Record<RuleName, Person[]> = {
  create_blacklist: ['admin'],
  find_blacklist: ['admin'],
  find_blacklists: ['admin'],
  get_blacklist: ['admin'],
  update_blacklist: ['admin'],
  delete_blacklist: ['admin'],
  import_blacklists: ['admin'],
  get_blacklist_import: ['admin'],
  find_blacklist_lists: ['admin'],
  get_blacklist_list: ['admin'],
  update_blacklist_list: ['admin'],
  delete_blacklist_list: ['admin'],
  use_blacklisted_zone: [],
  check_blacklists: ['admin'],
  create_tld: ['admin'],
  find_tlds: ['admin'],
  get_tld: ['admin'],
  update_tld: ['admin'],
  delete_tld: ['admin'],
  get_quotas: ['admin', 'member', 'reader', 'guest'],
  set_quota: ['admin'],
  reset_quotas: ['admin'],
  create_zone: ['admin', 'member'],
  create_sub_zone: ['admin', 'member'],
  create_super_zone: ['admin', 'member'],
  create_sub_zone_other_project: [],
  find_zones: ['admin', 'member', 'reader'],
  get_zone: ['admin', 'member', 'reader'],
  get_zone_access: ['admin', 'member'],
  update_zone: ['admin', 'member'],
  update_zone_soa: ['admin', 'member'],
  update_protection: ['admin', 'member'],
  find_guardrails: ['admin', 'member', 'reader', 'guest', 'stranger'],
  update_guardrails: ['admin', 'member'],
  override_guardrail: ['admin', 'member'],
  delete_zone: ['admin', 'member'],
  hard_delete: ['admin'],
  abandon_zone: ['admin'],
  pool_move_zone: ['admin'],
  xfr_zone: ['admin', 'member'],
  zone_create_forced_pool: ['admin'],
  restore_zone: ['admin', 'member'],
  find_zone_changes: ['admin', 'member', 'reader'],
  find_deleted_zones: ['admin', 'member', 'reader'],
  restore_deleted_zone: ['admin', 'member'],
  forget_deleted_zone: ['admin', 'member'],
  create_recordset: ['admin', 'member'],
  find_recordsets: ['admin', 'member', 'reader'],
  get_recordset: ['admin', 'member', 'reader'],
  update_recordset: ['admin', 'member'],
  delete_recordset: ['admin', 'member'],
  change_recordsets: ['admin', 'member'],
  replace_zone_contents: ['admin', 'member'],
  use_blacklisted_recordset: [],
  share_zone: ['admin', 'member'],
  get_zone_share: ['admin', 'member'],
  find_zone_shares: ['admin', 'member', 'reader', 'guest', 'stranger'],
  find_project_zone_share: ['admin', 'member'],
  unshare_zone: ['admin', 'member'],
  create_zone_import: ['admin', 'member'],
  find_zone_imports: ['admin', 'member', 'reader'],
  get_zone_import: ['admin', 'member', 'reader'],
  delete_zone_import: ['admin', 'member'],
  create_zone_export: ['admin', 'member'],
  find_zone_exports: ['admin', 'member', 'reader'],
  get_zone_export: ['admin', 'member', 'reader'],
  zone_export: ['admin', 'member', 'reader'],
  delete_zone_export: ['admin', 'member'],
  create_zone_transfer_request: ['admin', 'member'],
  get_zone_transfer_request: ['admin', 'member', 'reader'],
  find_zone_transfer_requests: ['admin', 'member', 'reader'],
  update_zone_transfer_request: ['admin', 'member'],
  delete_zone_transfer_request: ['admin', 'member'],
  create_zone_transfer_accept: ['admin', 'member'],
  get_zone_transfer_accept: ['admin', 'member', 'reader'],
  find_zone_transfer_accepts: ['admin'],
  update_zone_transfer_accept: ['admin'],
  delete_zone_transfer_accept: ['admin'],
  create_pool: ['admin'],
  find_pool: ['admin'],
  find_pools: ['admin'],
  get_pool: ['admin'],
  update_pool: ['admin'],
  delete_pool: ['admin'],
  get_zone_ns_records: ['admin', 'member', 'reader'],
  get_zone_publication: ['admin', 'member', 'reader'],
  find_events: ['admin', 'member', 'reader'],
  get_event: ['admin', 'member', 'reader'],
  find_all_events: ['admin'],
  get_statistics: ['admin'],
  find_service_status: ['admin'],
  find_service_statuses: ['admin'],
  get_metrics: ['admin'],
  create_tsigkey: ['admin'],
  find_tsigkeys: ['admin'],
  get_tsigkey: ['admin'],
  update_tsigkey: ['admin'],
  delete_tsigkey: ['admin'],
  create_zone_tsigkey: ['admin', 'member'],
  find_zone_tsigkeys: ['admin', 'member', 'reader'],
  get_zone_tsigkey: ['admin', 'member', 'reader'],
  delete_zone_tsigkey: ['admin', 'member'],
  get_caller: ['admin', 'member', 'reader', 'guest', 'stranger'],
  list_tokens: ['admin'],
  create_token: ['admin'],
  revoke_token: ['admin'],
  create_own_token: ['member'],
  check_access: ['admin', 'member', 'reader', 'guest', 'stranger'],
  list_own_tokens: ['member'],
  revoke_own_token: ['member'],

  get_usage: ['admin'],
  all_tenants: ['admin'],
  use_sudo: ['admin'],
  edit_managed_records: ['admin'],
};

describe('the defaults', () => {
  const policy = loadPolicy();

  test.each(Object.entries(granted) as [RuleName, Person[]][])('%s: %j', (rule, expected) => {
    const allowed = (Object.keys(people) as Person[]).filter((who) =>
      policy.allows(rule, people[who], { projectId: 'p' }),
    );
    expect(allowed).toEqual(expected);
  });

  test('the role metrics opens the figures alone', () => {
    const caller = { projectId: 'p', userId: 'prometheus', roles: ['metrics'] };
    const nobody = { ...caller, roles: [] };
    for (const projectId of ['p', 'q']) {
      const opened = (Object.keys(granted) as RuleName[]).filter(
        (rule) => policy.allows(rule, caller, { projectId }) && !policy.allows(rule, nobody, { projectId }),
      );
      expect(opened).toEqual(['get_metrics']);
    }
  });

  test('a zone that is shared is seen by readers, and written into by members', () => {
    const target = { projectId: 'p', zoneShared: 'True', recordsetProjectId: 'p' } as const;
    const reader = { ...people.stranger, roles: ['reader'] };
    for (const rule of ['get_zone', 'get_recordset', 'create_recordset'] as const) {
      expect(policy.allows(rule, people.stranger, target)).toBe(true);
      expect(policy.allows(rule, people.stranger, { ...target, zoneShared: 'False' })).toBe(false);
      expect(policy.allows(rule, reader, target)).toBe(rule !== 'create_recordset');
    }
    for (const rule of ['update_zone', 'delete_zone', 'share_zone', 'update_recordset'] as const) {
      expect(policy.allows(rule, people.stranger, target)).toBe(false);
    }
  });

  test('a recordset is written by the project whose it is', () => {
    const target = { projectId: 'p', recordsetProjectId: 'q' };
    for (const rule of ['update_recordset', 'delete_recordset'] as const) {
      expect(policy.allows(rule, people.stranger, target)).toBe(true);
      expect(policy.allows(rule, { ...people.stranger, roles: ['reader'] }, target)).toBe(false);
    }
  });

  test('without a project to be about, only administrators pass', () => {
    for (const rule of ['create_zone', 'get_zone', 'get_quotas'] as const) {
      expect(policy.allows(rule, people.member, {})).toBe(false);
      expect(policy.allows(rule, people.admin, {})).toBe(true);
    }
  });

  test('names are distinct, and every rule is described', () => {
    const rules = [...BASE_RULES, ...GUARD_RULES];
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    expect(GUARD_RULES.map(({ name }) => name).sort()).toEqual(Object.keys(granted).sort());
    for (const { description } of rules) expect(description).toMatch(/^[A-Z].*\.$/);
  });
});

describe('overrides', () => {
  test('replace one default and leave the others', () => {
    const policy = loadPolicy({ use_blacklisted_zone: 'role:admin' });
    expect(policy.allows('use_blacklisted_zone', people.admin, {})).toBe(true);
    expect(policy.allows('use_blacklisted_zone', people.member, { projectId: 'p' })).toBe(false);
    expect(policy.allows('create_blacklist', people.member, {})).toBe(false);
  });

  test('of a base rule change what refers to it', () => {
    const policy = loadPolicy({ admin: 'user_id:m' });
    expect(policy.allows('create_blacklist', people.member, {})).toBe(true);
    expect(policy.allows('create_blacklist', people.admin, {})).toBe(false);
  });

  test('may bring rules of their own, in any order', () => {
    const policy = loadPolicy({
      create_blacklist: 'rule:operators',
      operators: 'rule:night or project_id:q',
      night: '!',
    });
    expect(policy.allows('create_blacklist', people.stranger, {})).toBe(true);
    expect(policy.allows('create_blacklist', people.admin, {})).toBe(false);
  });

  test('of one policy do not reach another', () => {
    loadPolicy({ create_blacklist: '@' });
    expect(loadPolicy().allows('create_blacklist', people.guest, {})).toBe(false);
  });
});
