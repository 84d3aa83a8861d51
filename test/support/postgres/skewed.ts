/** Rows of every table that grows, written by few statements: even ones, and those of one project that has nearly all. */
import { OWNER } from '../everything.ts';
import { historyRows } from './skewed-history.ts';
import { DAY, EVEN, LARGE_ZONE, type Part, PROJECTS, skewedId, ZONES } from './skewed-numbers.ts';
import { otherRows, sharedRows } from './skewed-others.ts';
import { zoneRows } from './skewed-zones.ts';

function statementsOf(part: Part): readonly string[] {
  const all = [...zoneRows(part), ...historyRows(part), ...sharedRows(part), ...otherRows(part)];
  const numbers = `from generate_series(${part.from}, ${part.to - 1}) as numbers (n)`;
  return [
    ...all.map(
      ([table, columns, where = 'true']) =>
        `insert into ${table} (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} ${numbers} where ${where}`,
    ),
    `insert into projects (project_id, zones, recordsets) select ${part.project}, count(*), count(*) ${numbers} group by 1
      on conflict (project_id) do update set zones = projects.zones + excluded.zones`,
  ];
}

const AT_THE_END = [
  `update blacklist_revision set revision = ${ZONES}`,
  `update event_head set position = ${ZONES}, hash = ''`,
  `insert into blacklist_lists (name, created_at, updated_at, entries, sha256, event_id)
    values ('skewed', '${DAY}T00:00:00.000000', '', ${ZONES}, '', '${skewedId(6, 0)}')`,
  `insert into previews (id, project_id, pattern, mode, blacklist_id, status, message, faults, warnings, at_created, at_id, created_at,
      updated_at, ended_at, holder, held_until, total, seen, matched, undecided, kept)
    values ('${skewedId(8, 0)}', '${OWNER}', 'z', 'enforce', '', 'COMPLETE', '', '[]', '[]', '', '', '2999-01-01T00:00:00.000000', '',
      '2999-01-01T00:00:00.000000', '', '', ${ZONES}, ${ZONES}, ${ZONES}, 0, ${ZONES})`,
  `update zones set recordsets = ${ZONES - EVEN}, records = ${ZONES - EVEN} where id = '${skewedId(0, LARGE_ZONE)}'`,
];

/** Finds a row once a service has built the indexes that it builds beside its requests; what fills would wait for that. */
export const INDEXES_BUILT = `select 1 from pg_index where indisvalid
  and indexrelid::regclass::text in ('zones_name_trigrams', 'recordsets_expiring_of_zone') having count(*) = 2`;

/** What a service has noted at its start. */
const EMPTIED = [
  'lock table event_head, events, event_queue',
  'delete from events',
  'delete from event_queue',
];
const EVENLY = `'p' || n % ${PROJECTS}`;

/** What fills a migrated database: the even part, the statistics, and after them what makes them wrong. */
export function skewedFill(): readonly string[] {
  const even = statementsOf({ from: 0, to: EVEN, project: EVENLY, zone: 'n' });
  const skewed = statementsOf({ from: EVEN, to: ZONES, project: `'${OWNER}'`, zone: `${LARGE_ZONE}` });
  return [...EMPTIED, ...even, 'analyze', ...skewed, ...AT_THE_END];
}

/** The same number of rows, but spread evenly, and with statistics of all. */
export function evenFill(): readonly string[] {
  const all = statementsOf({ from: 0, to: ZONES, project: EVENLY, zone: 'n' });
  return [...EMPTIED, ...all, ...AT_THE_END, 'analyze'];
}
