import { id, type Part, POOL, padded, type Rows, SERIAL, when } from './skewed-numbers.ts';

/** Zones, their recordsets, and what publishes and transfers them. */
export function zoneRows({ project, zone }: Part): readonly Rows[] {
  const name = `'z' || n || '.example.'`;
  const times = { created_at: when, updated_at: `''` };
  const recordset = { project_id: project, ttl: 'null', description: 'null', version: '1', ...times };
  const apex = { ...recordset, zone_id: id(0), name, subtree_key: `'example!z' || n`, managed: '1' };
  const soa = `'["ns1.invalid. a.example.org. ${SERIAL} 3530 600 86400 3600"]'`;
  const isSecondary = 'n % 10 = 3';
  return [
    [
      'zones',
      {
        ...{ id: id(0), name, subtree_key: `'example!z' || n`, project_id: project, ttl: '3600', ...times },
        ...{ serial: `${SERIAL}`, type: `case when ${isSecondary} then 'SECONDARY' else 'PRIMARY' end` },
        ...{
          email: `'a@example.org'`,
          status: `'ACTIVE'`,
          action: `'NONE'`,
          attributes: `'{}'`,
          version: '1',
        },
        ...{
          recordsets: 'n % 7',
          records: 'n % 7',
          bytes: 'n % 7',
          transferred_at: `''`,
          pool_id: `'${POOL}'`,
        },
      },
    ],
    ['recordsets', { ...apex, id: id(1), type: `'SOA'`, records: soa }],
    ['recordsets', { ...apex, id: id(2), type: `'NS'`, records: `'["ns1.invalid."]'` }],
    [
      'recordsets',
      {
        ...{
          ...recordset,
          id: id(3),
          zone_id: id(0, zone),
          name: `'r' || n || '.z' || ${zone} || '.example.'`,
        },
        ...{
          subtree_key: `'example!z' || ${zone} || '!r' || n`,
          type: `case when n % 3 = 0 then 'CNAME' else 'A' end`,
        },
        ...{ managed: '0', records: `case when n % 3 = 0 then '["t.example."]' else '["192.0.2.1"]' end` },
      },
    ],
    [
      'record_targets',
      {
        key: `${id(3)} || ' t.example.'`,
        recordset_id: id(3),
        project_id: project,
        target: `'t.example.'`,
        type: `'CNAME'`,
      },
      'n % 3 = 0',
    ],
    [
      'secondaries',
      { zone_id: id(0), masters: `'[]'`, project_id: project, due_at: `'2999-' || ${padded('n', 6)}` },
      isSecondary,
    ],
    [
      'publications',
      {
        zone_id: id(0),
        pool_id: `'${POOL}'`,
        label: id(0),
        serial: `${SERIAL}`,
        published_serial: `${SERIAL}`,
      },
    ],
    [
      'catalog_members',
      { label: id(0), pool_id: `'${POOL}'`, zone_id: id(0), name, from_serial: 'n', to_serial: '0' },
    ],
    [
      'former_zones',
      { name: `'former-' || n || '.example.'`, project_id: project, serial: '1', gone_at: when },
    ],
    [
      'transferred_serials',
      { id: `${id(0)} || '/192.0.2.1'`, zone_id: id(0), server: `'192.0.2.1'`, serial: '1', at: when },
    ],
  ];
}
