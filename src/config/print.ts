import { printable } from '../runtime/printable.ts';
import type { LoadedConfig } from './load.ts';
import type { Option } from './option.ts';
import { OPTIONS, variableOf } from './options.ts';
import { WEBHOOK_OPTIONS } from './webhook-options.ts';

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object' && value !== null && 'port' in value) {
    const { host, port } = value as { host: string; port: number };
    return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  }
  return String(value);
}

function sections(options: object): Map<string, [string, Option<unknown>][]> {
  const grouped = new Map<string, [string, Option<unknown>][]>();
  for (const entry of Object.entries<Option<unknown>>(options as Record<string, Option<unknown>>)) {
    grouped.set(entry[1].section, [...(grouped.get(entry[1].section) ?? []), entry]);
  }
  return grouped;
}

function blockOf(
  section: string,
  options: readonly [string, Option<unknown>][],
  values: object,
  origin: LoadedConfig['origin'],
): string {
  const lines = options.map(([key, { name, description, kind }]) => {
    const value: unknown = (values as Readonly<Record<string, unknown>>)[key];
    const where = origin({ section, name });
    const source = where === undefined ? 'Default.' : `Set by ${printable(where)}.`;
    return `# ${description}\n# ${source}\n${name} = ${kind.shown?.(value) ?? textOf(value)}`.trimEnd();
  });
  return `[${section}]\n${lines.join('\n\n')}\n`;
}

/**
 * The configuration in effect, as a file that reproduces it, except for passwords; comments say where each option is
 * set.
 */
export function printConfig({ config, origin }: LoadedConfig): string {
  const blocks = [...sections(OPTIONS)].map(([section, options]) =>
    blockOf(section, options, config, origin),
  );
  const webhooks = config.webhooks.map((webhook) =>
    blockOf(`webhook:${webhook.name}`, Object.entries(WEBHOOK_OPTIONS), webhook, origin),
  );
  return [...blocks, ...webhooks].join('\n');
}

/** The reference page docs/configuration.md. */
export function configurationPage(): string {
  const blocks = [...sections(OPTIONS), ...sections(WEBHOOK_OPTIONS)].map(([section, options]) => {
    const rows = options.map(
      ([, option]) =>
        `| \`${option.name}\` | ${option.kind.name} | ${option.default === '' ? '(empty)' : `\`${option.default}\``} | ${option.description} | \`${variableOf(option)}\` |`,
    );
    return `## [${section}]\n\n| option | type | default | description | environment variable |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Configuration

One INI file, named by \`--config\` or by the environment variable \`ZONEWARDEN_CONFIG\`. Every option is also an
environment variable, which overrides the file. Options are read when the service starts. \`zonewarden config print\`
shows the effective configuration and the source of each option, without passwords. Each webhook has its own section \`[webhook:NAME]\`
([webhooks.md](webhooks.md)). \`npm run docs\` generates this page from \`src/config/options.ts\`.

${blocks.join('\n')}`;
}
