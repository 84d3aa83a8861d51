import { DAY, id, KEPT_DELETED, type Part, type Rows, when } from './skewed-numbers.ts';

/** What has happened. */
export function historyRows({ project, zone }: Part): readonly Rows[] {
  const facts = `'{"ttl":[60],"email":["a@example.org"],"projectId":["p0"],"soa":["x"]}'`;
  return [
    [
      'zone_changes',
      {
        ...{ id: id(4), zone_id: id(0, zone), project_id: project, at: when, door: `'api'`, actor: `'{}'` },
        ...{
          zone: facts,
          number: 'n',
          from_serial: 'n',
          to_serial: 'n + 1',
          difference_bytes: '10',
          bytes_until: 'n',
        },
        ...{ served_after: '0', served_bytes: '100', size: '200', created: '1', updated: '0', deleted: '0' },
        ...{ kept: '1', effects: 'null' },
      },
    ],
    ['history_sizes', { id: `'zone ' || ${id(0)}`, kind: `'zone'`, bytes: '200' }],
    [
      'zone_journal',
      { id: `${id(0)} || '/' || n`, zone_id: id(0), number: 'n', from_serial: '1', to_serial: '2' },
    ],
    [
      'deleted_zones',
      {
        ...{
          id: id(5),
          name: `'d' || n || '.example.'`,
          project_id: project,
          type: `'PRIMARY'`,
          serial: '1',
        },
        ...{ recordsets: '2', deleted_at: when, contents_id: id(5), zone: `'{}'`, size: '100', settled: '1' },
      },
      KEPT_DELETED,
    ],
    ['deleted_contents', { id: `${id(5)} || '/00000000'`, part: `'part'` }, KEPT_DELETED],
    [
      'events',
      {
        ...{
          position: 'n + 1',
          id: id(6),
          time: when,
          type: `'zone.created'`,
          error: `''`,
          project_id: project,
        },
        ...{
          actor_project_id: project,
          caller_project_id: project,
          user_id: `'u' || n % 50`,
          origin: `'api'`,
        },
        ...{ request_id: `'req-' || n`, address: `''`, target_kind: `'zone'`, target_id: id(0), shown: '1' },
        ...{ target_name: `'z' || n || '.example.'`, data: `'{}'`, key_id: `''`, mac: `''`, hash: `''` },
      },
    ],
    [
      'refusals',
      { key: `'${DAY}T00 zone ' || n`, hour: `'${DAY}T00'`, type: `'zone'`, blacklist_id: id(7), total: '1' },
    ],
  ];
}
