import { id, KEPT_TASKS, type Part, PROJECTS, padded, type Rows, when } from './skewed-numbers.ts';

/** What is between projects, and tasks. */
export function sharedRows({ project }: Part): readonly Rows[] {
  const times = { created_at: when, updated_at: `''` };
  const target = `'p' || (n + 1) % ${PROJECTS}`;
  return [
    [
      'zone_shares',
      {
        id: id(0),
        zone_id: id(0),
        project_id: project,
        target_project_id: target,
        recordsets: '0',
        ...times,
      },
    ],
    [
      'zone_transfer_requests',
      {
        ...{
          id: id(0),
          zone_id: id(0),
          zone_name: `'z' || n || '.example.'`,
          project_id: project,
          key: `''`,
        },
        ...{ target_project_id: target, status: `'COMPLETE'`, wrong_keys: '0', ...times },
      },
      KEPT_TASKS,
    ],
    [
      'zone_transfer_accepts',
      {
        ...{ id: id(0), zone_transfer_request_id: id(0), zone_id: id(0), project_id: project, key: `''` },
        ...{ status: `'COMPLETE'`, ...times },
      },
      KEPT_TASKS,
    ],
    [
      'zone_tasks',
      {
        ...{ id: id(0), kind: `case when n % 2 = 0 then 'import' else 'export' end`, project_id: project },
        ...{ zone_id: id(0), status: `'COMPLETE'`, message: 'null', version: '1', ...times },
      },
      KEPT_TASKS,
    ],
  ];
}

/** What is not in zones. */
export function otherRows({ project }: Part): readonly Rows[] {
  const times = { created_at: when, updated_at: `''` };
  const hash = `encode(sha256(n::text::bytea), 'hex')`;
  const usage = { zones: '1', recordsets: '1', zone_recordsets: '1', zone_records: '1', zone_bytes: '1' };
  return [
    [
      'idempotency_keys',
      {
        ...{ key: hash, body_hash: hash, status: '202', headers: `'{}'`, body: `'{}'`, project_id: project },
        ...{ created_at: `'2999-01-01T00:00:00.000000'`, number: 'n + 1', bytes_before: '0' },
      },
    ],
    ['projects', { project_id: `'own-' || n`, zones: '0', recordsets: '0' }],
    ['idempotency_projects', { project_id: `'own-' || n`, last_number: '0', bytes: '0' }],
    ['project_usage', { id: `'own-' || n`, ...usage, limits: `'{}'`, percentage: 'n % 1000' }],
    [
      'blacklists',
      {
        ...{ id: id(7), number: 'n + 1', pattern: `'^never' || n || '\\.$'`, pattern_hash: hash },
        ...{ pattern_start: `'^never' || n || '\\.$'`, exhausted_count: '0', exhausted_at: `''`, ...times },
      },
    ],
    [
      'blacklist_holders',
      {
        key: `'skewed/' || ${id(7)}`,
        list: `'skewed'`,
        blacklist_id: id(7),
        arrives: '0',
        leaves: '0',
        mark: '0',
      },
    ],
    [
      'preview_zones',
      {
        preview_id: id(8, '0'),
        id: id(0),
        name: `'z' || n || '.example.'`,
        project_id: project,
        undecided: '0',
      },
    ],
    ['tlds', { id: id(7), name: `'t' || n`, ...times }],
    [
      'tsig_keys',
      {
        ...{ id: id(7), name: `'k' || n || '.'`, algorithm: `'hmac-sha256'`, secret: `'c2VjcmV0'`, ...times },
        ...{ scope: `'ZONE'`, resource_id: id(0), project_id: project },
      },
    ],
    [
      'taken_updates',
      { id: `'k' || n`, rcode: '0', expires_at: `'2999-01-01T00:00:00.' || ${padded('n', 6)}` },
    ],
    [
      'api_tokens',
      {
        ...{ id: padded('n', 16), hash, project_id: project, user_id: `'u'`, roles: `'["reader"]'` },
        ...{ created_at: when, expires_at: `'2999-01-01T00:00:00.000000'`, counted: '0' },
      },
    ],
  ];
}
