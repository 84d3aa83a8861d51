// Makes docs/api.md: every route that serves, what it takes and what it answers with.
import { code, table } from './markdown.mjs';

const operationOf = ({ method, path }) => code(`${method} ${path}`);

function answersOf({ answers: { status, forms } }) {
  return [String(status), ...forms.map(({ mediaType }) => code(mediaType))].join(' ');
}

function operationsTable(routes) {
  const rows = routes.map((route) => [
    operationOf(route),
    route.guard === 'public' ? 'anyone' : code(route.guard.rule),
    (route.body ?? []).map(({ mediaType }) => code(mediaType)).join(', '),
    answersOf(route),
  ]);
  return table(['operation', 'rule', 'takes', 'answers'], rows);
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
  return table(['path', 'answers with an ETag', 'conditions'], rows);
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
  return table(['list', 'sort keys', 'filters', 'besides'], rows);
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

Every operation. \`GET /v2/openapi.json\` describes them to programs (OpenAPI 3.1), for anyone: each path, parameter, body, answer
and refusal, with examples. [policy.md](policy.md) describes the rules, [errors.md](errors.md) the refusals, and
[compatibility.md](compatibility.md) each difference from Designate's API with its reason. The operations under \`/v1\` exist
only if \`enabled_extensions_v1\` names the extension. \`HEAD\` works wherever \`GET\` does. The paths of imports and exports
may also be written in the singular (\`/v2/zones/tasks/import\`). Where there are several forms of an answer, \`Accept\` chooses
one of them; \`application/jsonl\` is one JSON object per line. A refusal is always JSON. \`npm run docs\` generates this
page from \`src/http/routes.ts\`.

## Operations

${operationsTable(routes)}
## ETags

A single resource of these has a strong \`ETag\`: it changes with every field but \`links\`, \`hits\`, \`exhausted\`, \`warnings\` and \`hidden_by\`.
\`If-Match\` is compared before every rule: 412 \`precondition_failed\`. \`If-None-Match\` makes the answer to a \`GET\` 304.
[operations.md](operations.md#changes-that-overwrite-nothing) says more.

${etagsTable(routes)}
## Lists

\`sort_key\` is one of the sort keys (by default the first), and \`sort_dir\` is \`asc\` or \`desc\`. A filter tests for
equality, with \`*\` for any text. In the filter \`name\`, \`\\*\` is a literal star: \`name=\\*.example.org.\` finds the wildcard
alone. \`limit\` is the size of a page, a number or \`max\`. \`marker\` is the ID of the last entry
of the previous page, and \`links.next\` is the next page, if any. \`all_projects\` and \`all_tenants\` say the same as the header
\`X-Auth-All-Projects\`.

${listsTable(routes)}
## Bodies

Keys not listed here are refused. A \`PATCH\`, and the \`PUT\` of a recordset, may also hold the other keys of the resource with
their present values; \`status\` and \`action\` are ignored there. The limits of quotas have no other keys. An answer lists all
faults of a body at once.

${bodies.join('\n')}`;
}
