/** Statements that read more than an index finds, by nature or until they have an index, each with the reason. */
export const NOT_BY_INDEX: readonly { readonly statement: RegExp; readonly why: string }[] = [
  {
    statement: /^\s*select project_id, count\(\*\) as zones, max\(recordsets\)/,
    why: 'a job aggregates the usage of all projects, in batches of 20,000 zones',
  },
  {
    statement: /^select \* from "former_zones" where "name" > \$1/,
    why: 'a job goes through all former zones, in batches',
  },
  {
    statement: /^\s*select count\(\*\) as projects|sum\("?zones"?\).*from "?projects|"zones_near"/,
    why: 'sums over all projects, for administrators: a long read, of one row for each project',
  },
  {
    statement: /as unsettled where status <> 'ACTIVE'|from "refusals" where "key" >= \$1/,
    why: 'GET /v2/statistics looks at all that is unsettled, and at all refusals of a day',
  },
  {
    statement: /^select max\("recordsets"\) as "most" from "zones"/,
    why: 'GET /v2/quotas/{project_id}/usage looks at all zones of a project: a long read, without an index on recordsets',
  },
  {
    statement:
      /^select \(select count\(\*\) from \(select 1 from "(tlds|api_tokens)"|^select \(select count\(\*\) from "tsig_keys"/,
    why: 'counts of lists without a counter',
  },
  {
    statement: /from "(tlds|api_tokens)" where .*order by "(tlds|api_tokens)"\."created_at"/,
    why: 'TLDs and tokens are sorted by creation without an index, up to 100,000 of them',
  },
  {
    statement: /as "sorted_by_0".*from "preview_zones" where preview_id = \$1 and "project_id" = \$2/,
    why: 'no index has the zones of a preview by project; a preview keeps 10,000 at most',
  },
];
