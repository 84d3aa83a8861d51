// Generates the reference pages under docs/ from the source.
import { writeFileSync } from 'node:fs';
import { configurationPage } from '../src/config/print.ts';
import { answerTo, EDGE_CATALOGUE } from '../src/http/edge/errors.ts';
import { describedMetrics } from '../src/metrics/metrics.ts';
import { ERROR_CATALOGUE } from '../src/model/errors.ts';
import { IDLE_RULES } from '../src/policy/idle-rules.ts';
import { BASE_RULES, GUARD_RULES } from '../src/policy/rules.ts';
import { apiPage } from './api-page.mjs';
import { code, table } from './markdown.mjs';
import { allRoutes } from './routes.mjs';

function errorsPage() {
  const rows = Object.entries({ ...ERROR_CATALOGUE, ...EDGE_CATALOGUE }).map(([kind, message]) => {
    const { status, type } = answerTo(kind);
    return { status, type, message };
  });
  rows.sort((a, b) => a.status - b.status);
  const cells = rows.map(({ status, type, message }) => [String(status), code(type), message]);
  // List a refusal once when the edge and the domain share it.
  const distinct = [...new Map(cells.map((row) => [row.join('|'), row])).values()];
  return `# Errors

Every error response has this form:

\`\`\`json
{"code": 400, "type": "invalid_object", "message": "…", "request_id": "req-…"}
\`\`\`

- \`request_id\` is also the header \`X-Openstack-Request-Id\` and a field of every log line about the request.
- If a body is invalid, \`"errors": {"errors": [{"path": ["pattern"], "message": "…"}]}\` lists all errors.
- \`hint\` says what else the caller can do.
- A message may be more specific than the one below.
- \`GET /nic/update\` has errors of its own ([dyndns.md](dyndns.md)).
- A 401 has \`WWW-Authenticate: Bearer\` with \`error="invalid_token"\` for an unknown or expired token, or
  \`error="insufficient_scope"\` for a missing role (RFC 6750). \`error_description\` says whether the token is unknown or has
  expired, or which rule needs which role. If Keystone tokens are accepted, \`Keystone uri="…"\` is added.
- With \`access_denied_status = 403\`, an authenticated caller without the role gets \`access_denied\` with 403.
- A 429, \`idempotency_key_running\`, \`lists_busy\` and every 503 that a retry can help have \`Retry-After\`. A 405 has \`Allow\`.

\`npm run docs\` generates this page from \`src/model/errors.ts\` and \`src/http/edge/errors.ts\`.

${table(['status', 'type', 'message'], distinct)}`;
}

function policyPage() {
  const row = ({ name, operations, default: rule, description }) => [
    code(name),
    operations.map(code).join('<br>'),
    code(rule),
    description,
  ];
  const knowing = (what) =>
    GUARD_RULES.filter(({ knows }) => knows === what)
      .map(({ name }) => code(name))
      .join(', ');
  return `# Policy

The rules that decide who may do what. They have the same names as in Designate. To override them, set \`policy_file\` in
section \`[oslo_policy]\` to a YAML file in oslo.policy's syntax. \`admin\` implies \`member\`, and \`member\` implies \`reader\`.
\`npm run docs\` generates this page from \`src/policy/rules.ts\`.

## Targets

| target | is | known in |
| --- | --- | --- |
| \`%(project_id)s\` | the project that the operation concerns | all rules |
| \`%(zone_shared)s\` | \`True\` if the caller reaches the zone only through a share | rules about a zone |
| \`%(recordset_project_id)s\` | the project that owns the recordset | \`update_recordset\`, \`delete_recordset\`, \`get_recordset\` |
| \`%(zone_name)s\` | such as \`example.org.\`: in lower case, with a final dot | ${knowing('zone')} and those of \`%(recordset_type)s\` |
| \`%(zone_type)s\` | \`PRIMARY\` or \`SECONDARY\` | as \`%(zone_name)s\` |
| \`%(recordset_type)s\` | such as \`TXT\` | ${knowing('recordset')} |
| \`%(recordset_name)s\` | such as \`www.example.org.\` | as \`%(recordset_type)s\` |

So this lets a role write addresses alone:

\`\`\`yaml
dns_webmaster: "role:dns_webmaster and ('A':%(recordset_type)s or 'AAAA':%(recordset_type)s)"
create_recordset: "rule:admin_or_project_member or (rule:dns_webmaster and rule:owner)"
update_recordset: "rule:admin_or_project_member or (rule:dns_webmaster and rule:owner)"
delete_recordset: "rule:admin_or_project_member or (rule:dns_webmaster and rule:owner)"
get_recordset: "rule:admin_or_project_reader or (rule:dns_webmaster and rule:owner)"
\`\`\`

- The rules of recordsets are asked for each change of a set of changes, of new contents, and of a restore. An import asks
  \`create_zone_import\` alone, whatever is in the file: refuse it to callers who may write only some recordsets.
- A rule is asked before the body is read, too. A check with one of the last four targets, or with \`%(zone_shared)s\`, then is neither true
  nor false, and only a rule that is false either way refuses.
- In any other rule the last four targets stop the start: a list, for example, is not asked entry by entry.
- A zone that lies below one of another project (\`create_sub_zone_other_project\`) hides records of the zone above. While it is there, neither
  zone can be given to a third project, and the one above cannot be deleted. \`zonewarden verify\` reports such zones as faults unless
  the policy file has this rule.

## Rules of operations

${table(['rule', 'guards', 'default', 'what it allows'], GUARD_RULES.map(row))}
## Rules of Designate that guard nothing here

A policy file may have them, even with checks that are unknown here. The log names them at the start.

${IDLE_RULES.map(code).join(', ')}

## Base rules

${table(
  ['rule', 'default', 'who it covers'],
  BASE_RULES.map(row).map((cells) => cells.filter((_, place) => place !== 1)),
)}`;
}

function metricsPage(metrics) {
  const row = ({ type, name, labels, isStoreWide, help }) => [
    code(name),
    isStoreWide ? `${type}, store` : type,
    labels.map(code).join(', '),
    help,
  ];
  const [ours, others] = [true, false].map((own) => metrics.filter(({ isOurs }) => isOurs === own).map(row));
  const head = ['metric', 'type', 'labels', 'meaning'];
  return `# Metrics

\`GET /metrics\` returns the Prometheus text format. \`npm run docs\` generates this page from
\`src/metrics/catalogue.ts\`.

- **On the API's port**, the rule \`get_metrics\` allows administrators and tokens with the role \`metrics\`
  (\`zonewarden token create --project monitoring --role metrics\`), which grants nothing else. Prometheus sends the token
  with \`authorization: {credentials_file: …}\`.
- **On its own port** (\`[metrics] listen = 9464\`, or \`host:port\`), anyone who can reach it can read it, so it listens on
  127.0.0.1 unless you set an address. It works while the service starts and while the database is down. The API then has no
  \`/metrics\`.

Each process reports its own activity; aggregate counters and histograms with \`sum()\`. Gauges marked *store* describe the
whole store and are equal in every process; aggregate them with \`max()\`. They are read from the store every 30 seconds while
/metrics is being scraped, never during a scrape. \`zonewarden_store_figures_age_seconds\` is their age; before the first
read they are missing. All other values are at most a second old.

Callers cannot increase the number of series: routes are templates, an unknown path is \`none\`, a method that a
path does not have is \`other\`, and no label contains a project, zone or user. There are about 170 pairs of route and
method, each with 16 series for durations and one per status (a dozen at most): fewer than 8,000 series in all, however many
tenants there are.

[prometheus/alerts.yaml](prometheus/alerts.yaml) contains alerting rules, [grafana/dashboard.json](grafana/dashboard.json) a
Grafana dashboard to import.

\`\`\`yaml
scrape_configs:
  - job_name: zonewarden
    static_configs: [{ targets: ['127.0.0.1:9464'] }]
rule_files: [alerts.yaml]
\`\`\`

## The service

${table(head, ours)}
## The process

${table(head, others)}`;
}

/** The pages by file name. */
export const PAGES = {
  'api.md': apiPage(allRoutes()),
  'configuration.md': configurationPage(),
  'errors.md': errorsPage(),
  'metrics.md': metricsPage(await describedMetrics()),
  'policy.md': policyPage(),
};

if (process.argv.includes('--write')) {
  for (const [name, page] of Object.entries(PAGES)) writeFileSync(`docs/${name}`, page);
}
