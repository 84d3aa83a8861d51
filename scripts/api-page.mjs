// Makes docs/api.md: every route that serves, what it takes and what it answers with.
import { rulesOf } from '../src/http/edge/route.ts';
import { code, table } from './markdown.mjs';

const operationOf = ({ method, path }) => code(`${method} ${path}`);

function answersOf({ responses: { status, forms } }) {
  return [String(status), ...forms.map(({ mediaType }) => code(mediaType))].join(' ');
}

function operationsTable(routes) {
  const rows = routes.map((route) => [
    operationOf(route),
    route.guard === 'public' ? 'anyone' : rulesOf(route.guard).map(code).join(', or '),
    (route.body ?? []).map(({ mediaType }) => code(mediaType)).join(', '),
    answersOf(route),
  ]);
  return table(['operation', 'rule', 'request body', 'response'], rows);
}

/** The paths whose answers have an ETag, each with the methods that ask conditions of it. */
function etagsTable(routes) {
  const methods = new Map();
  for (const { method, path, tagged } of routes) {
    if (tagged === undefined) continue;
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  const conditional = (all) => all.filter((method) => method !== 'POST').map(code);
  const rows = [...methods].map(([path, all]) => [
    code(path),
    all
      .filter((method) => method !== 'DELETE')
      .map(code)
      .join(', '),
    conditional(all).join(', '),
  ]);
  return table(['path', 'ETag in the response to', 'conditional requests'], rows);
}

function listsTable(routes) {
  const rows = routes
    .filter((route) => route.list !== undefined)
    .map(({ path, list }) => [
      code(path),
      list.sortKeys.map(code).join(', '),
      list.filters.map(code).join(', '),
      [
        list.isCounted ? '`metadata.total_count`' : '',
        list.isStreamed ? 'all entries if neither `limit` nor `marker` is given' : '',
      ]
        .filter((text) => text !== '')
        .join('; '),
    ]);
  return table(['list', 'sort keys', 'filters', 'notes'], rows);
}

function rangeOf(low, high, unit) {
  if (low === undefined && high === undefined) return [];
  if (low === undefined) return [`at most ${high}${unit}`];
  return [`${low} to ${high}${unit}`];
}

function typeOf({ type, items, additionalProperties, maxItems }) {
  const types = [type].flat();
  if (maxItems === 0) return 'empty array';
  if (items !== undefined) return `array of ${typeOf(items)}`;
  if (additionalProperties) return `object of ${typeOf(additionalProperties)}`;
  return types.join(' or ');
}

function aboutOf(schema) {
  const inner = schema.items ?? (schema.additionalProperties || undefined);
  return [
    ...(schema.description === undefined ? [] : [schema.description.replace(/\.$/, '')]),
    ...rangeOf(schema.minimum, schema.maximum, ''),
    ...rangeOf(schema.minLength, schema.maxLength, ' characters'),
    ...(schema.enum === undefined ? [] : [schema.enum.map(code).join(', ')]),
    ...(schema.format === undefined ? [] : [schema.format.toUpperCase()]),
    ...(inner === undefined ? [] : aboutOf(inner).map((text) => `each: ${text}`)),
  ];
}

/** A body that is no object is a file. */
function fileSection(route) {
  const files = route.body.map(
    ({ mediaType, schema }) => `- ${code(mediaType)}: ${schema.description.replace(/\.$/, '')}`,
  );
  return `### ${operationOf(route)}\n\n${files.join('\n')}\n`;
}

function bodySection(route) {
  if (route.body.every(({ schema }) => schema.properties === undefined)) return fileSection(route);
  const { schema, isOptional, mediaType } = route.body.find((body) => body.schema.properties !== undefined);
  const rows = Object.entries(schema.properties).map(([name, field]) => [
    code(name),
    typeOf(field),
    schema.required.includes(name) ? 'yes' : '',
    aboutOf(field).join('; '),
  ]);
  const instead = route.body.length === 1 ? '' : `As ${code(mediaType)}:\n\n`;
  const optional = isOptional ? 'The body is optional.\n\n' : instead;
  return `### ${operationOf(route)}\n\n${optional}${table(['field', 'type', 'required', ''], rows)}`;
}

export function apiPage(routes) {
  const bodies = routes.filter(({ body }) => body !== undefined).map(bodySection);
  return `# API

The reference of the HTTP API, which follows OpenStack Designate's API v2. \`npm run docs\` generates this page from
\`src/http/routes.ts\`.

- \`GET /v2/openapi.json\` returns the same as an OpenAPI 3.1 document: paths, parameters, bodies, responses and errors, with
  examples. It needs no token.
- [policy.md](policy.md) describes the rules, [errors.md](errors.md) the errors, and [compatibility.md](compatibility.md) every
  difference from Designate, with the reason.
- Operations under \`/v1\` exist only if \`enabled_extensions_v1\` names the extension.
- \`GET /nic/update\` exists only if \`[service:api] dyndns\` is set ([dyndns.md](dyndns.md)).
- \`HEAD\` works wherever \`GET\` does, except for \`GET /nic/update\`.
- Paths of imports and exports also work in the singular (\`/v2/zones/tasks/import\`).
- If a response has several formats, \`Accept\` selects one; \`application/jsonl\` is one JSON object per line. Errors are
  JSON, except those of \`GET /nic/update\`.

## Operations

${operationsTable(routes)}
## ETags

These resources have a strong \`ETag\`. It changes with every field except \`links\`, \`hits\`, \`exhausted\`, \`warnings\` and \`hidden_by\`.
If \`If-Match\` does not match, the response is 412 \`precondition_failed\`; it is compared before any rule is checked. If \`If-None-Match\`
matches, a \`GET\` returns 304. See [optimistic locking](operations.md#optimistic-locking-if-match).

${etagsTable(routes)}
## Lists

- \`sort_key\` is one of the sort keys (default: the first), \`sort_dir\` is \`asc\` or \`desc\`.
- A filter must equal the value; \`*\` stands for any text. In the filter \`name\`, \`\\*\` is a literal star:
  \`name=\\*.example.org.\` finds only the wildcard.
- \`limit\` is the page size, a number or \`max\`. \`marker\` is the ID of the last entry of the previous page. \`links.next\` is
  the next page, if there is one.
- \`all_projects\` and \`all_tenants\` have the same meaning as the header \`X-Auth-All-Projects\`.

${listsTable(routes)}
## Bodies

Unknown keys are rejected. A \`PATCH\`, and the \`PUT\` of a recordset, may also contain the resource's read-only keys if their values
are unchanged; \`status\` and \`action\` are ignored there. Quota bodies allow no other keys. The response lists all errors of a body
together.

${bodies.join('\n')}`;
}
