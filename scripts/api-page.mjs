// Makes docs/api.md: every route that serves, what it takes and what it answers with.
import { code, table } from './markdown.mjs';

const operationOf = ({ method, path }) => code(`${method} ${path}`);

function operationsTable(routes) {
  const rows = routes.map((route) => [
    operationOf(route),
    route.guard === 'public' ? 'anybody' : code(route.guard.rule),
    route.body === undefined ? '' : code(route.body.mediaType),
    route.answers === undefined ? '' : code(route.answers),
  ]);
  return table(['operation', 'rule', 'takes', 'answers with, beside JSON'], rows);
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
        list.isStreamed ? 'all entries where neither `limit` nor `marker` is given' : '',
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

function bodySection(route) {
  const { schema, isOptional } = route.body;
  const rows = Object.entries(schema.properties).map(([name, field]) => [
    code(name),
    typeOf(field),
    schema.required.includes(name) ? 'yes' : '',
    aboutOf(field).join('; '),
  ]);
  const optional = isOptional ? 'The body may be left out.\n\n' : '';
  return `### ${operationOf(route)}\n\n${optional}${table(['field', 'type', 'required', ''], rows)}`;
}

export function apiPage(routes) {
  const bodies = routes.filter(({ body }) => body?.schema !== undefined).map(bodySection);
  return `# API

Every operation. The rules are those of [policy.md](policy.md), the refusals those of [errors.md](errors.md); where the
API differs from Designate's, [compatibility.md](compatibility.md) says so and why. The operations under \`/v1\` are there where
\`enabled_extensions_v1\` names the extension. \`HEAD\` is answered wherever \`GET\` is. This page is made from
\`src/http/routes.ts\` by \`npm run docs\`.

## Operations

${operationsTable(routes)}
## Lists

\`sort_key\` is one of the sort keys, the first of them where it is left out, and \`sort_dir\` \`asc\` or \`desc\`. A filter is
equality, with \`*\` for any text. \`limit\` is the size of a page, a number or \`max\`; \`marker\` the id of the last entry of
the page before, and \`links.next\` the next page where there is one.

${listsTable(routes)}
## Bodies

A key that is not named here is refused. All faults of a body are told at once.

${bodies.join('\n')}`;
}
