// Writes the reference pages under docs/ that are made from the source. Run by `npm run docs`, after the build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadConfig } from '../dist/config/load.js';
import { configurationPage } from '../dist/config/print.js';
import { ERROR_CATALOGUE } from '../dist/domain/errors.js';
import { useCasesOver } from '../dist/domain/use-cases.js';
import { answerTo, EDGE_CATALOGUE } from '../dist/http/errors.js';
import { routesOf } from '../dist/http/routes.js';
import { patternLanguage } from '../dist/matcher/language.js';
import { baseRules, guardRules } from '../dist/policy/rules.js';
import { domainSettings } from '../dist/settings.js';
import { apiPage } from './api-page.mjs';
import { code, table } from './markdown.mjs';

/** The routes as they serve, v1 included. Nothing is asked of the use cases here, so they have no store. */
function allRoutes() {
  const config = loadConfig(undefined, {});
  const useCases = useCasesOver({ settings: domainSettings(config), language: patternLanguage, sinks: [] });
  const pages = { default: config.defaultLimit, max: config.maxLimit };
  return routesOf(useCases, { pages, maxImportSize: config.maxImportSize, isV1Enabled: true });
}

function errorsPage() {
  const rows = Object.entries({ ...ERROR_CATALOGUE, ...EDGE_CATALOGUE }).map(([kind, message]) => {
    const { status, type = kind } = answerTo(kind);
    return { status, type, message };
  });
  rows.sort((a, b) => a.status - b.status);
  const cells = rows.map(({ status, type, message }) => [String(status), code(type), message]);
  // What the edge and the domain refuse alike stands here once.
  const distinct = [...new Map(cells.map((row) => [row.join('|'), row])).values()];
  return `# Errors

Every refusal has one shape:

\`\`\`json
{"code": 400, "type": "invalid_object", "message": "…", "request_id": "req-…"}
\`\`\`

\`request_id\` is also the header \`X-Openstack-Request-Id\`; the log has it on every line about the request. A body that
fails validation adds \`"errors": {"errors": [{"path": ["pattern"], "message": "…"}]}\` with all its faults. A message
may say more than the one below where more is known. \`access_denied\` is answered 403 to a known caller who lacks the
role where \`access_denied_status\` says so. A 401 carries \`WWW-Authenticate: Bearer\`, with \`error="invalid_token"\`
for a token that is unknown or has expired and \`error="insufficient_scope"\` for a lacking role (RFC 6750); a 429, a 503 and
\`idempotency_key_running\` \`Retry-After\`; a 405 \`Allow\`. This page is made from
\`src/domain/errors.ts\` and \`src/http/errors.ts\` by \`npm run docs\`.

${table(['status', 'type', 'message'], distinct)}`;
}

function policyPage() {
  const row = ({ name, operations, default: rule, description }) => [
    code(name),
    operations.map(code).join('<br>'),
    code(rule),
    description,
  ];
  return `# Policy

Who may do what. The names of the rules are Designate's. A YAML file in oslo.policy's syntax, named by the option
\`policy_file\` in section \`[oslo_policy]\`, overrides them. \`admin\` implies \`member\`, and \`member\` implies \`reader\`.
This page is made from \`src/policy/rules.ts\` by \`npm run docs\`.

## Rules of operations

${table(['rule', 'guards', 'default', 'what it allows'], guardRules.map(row))}
## Rules to build others from

${table(
  ['rule', 'default', 'what it says'],
  baseRules.map(row).map((cells) => cells.filter((_, place) => place !== 1)),
)}`;
}

/** The pages by file name. */
export const PAGES = {
  'api.md': apiPage(allRoutes()),
  'configuration.md': configurationPage(),
  'errors.md': errorsPage(),
  'policy.md': policyPage(),
};

if (process.argv[2] === '--write') {
  const folder = new URL('../docs/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  for (const [name, page] of Object.entries(PAGES)) writeFileSync(new URL(name, folder), page);
}
