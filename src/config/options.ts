import { NUMBERED_TYPES, RECORD_TYPES } from '../dns/record-types.ts';
import { API_OPTIONS } from './api-options.ts';
import { BLACKLIST_OPTIONS } from './blacklist-options.ts';
import { CONTACT_OPTIONS } from './contact-options.ts';
import { EVENT_OPTIONS } from './event-options.ts';
import { GUARDRAIL_OPTIONS } from './guardrail-options.ts';
import { HISTORY_OPTIONS } from './history-options.ts';
import { KEYSTONE_OPTIONS } from './keystone-options.ts';
import { choice, hostName, integer, listOf, recordType, required, text } from './kinds.ts';
import { METRICS_OPTIONS } from './metrics-options.ts';
import { type Option, option, type ValuesOf } from './option.ts';
import { PUBLICATION_OPTIONS } from './publication-options.ts';
import { SECONDARY_OPTIONS } from './secondary-options.ts';
import { SECONDARY_TRANSFER_OPTIONS } from './secondary-transfer-options.ts';
import { STORAGE_OPTIONS } from './storage-options.ts';
import { TOKEN_OPTIONS } from './token-options.ts';
import type { WebhookConfigs } from './webhook-options.ts';

const limit = integer(-1, 2147483647);
const seconds = integer(1, 2147483647);

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** All options: the single source of the types, the checks, `config print` and docs/configuration.md. */
export const OPTIONS = {
  dataDir: option(
    'DEFAULT',
    'data_dir',
    required('folder'),
    './data',
    'Folder of the embedded database and the first admin token, created with mode 0700 if missing.',
  ),
  logLevel: option(
    'DEFAULT',
    'log_level',
    choice(LOG_LEVELS),
    'info',
    'Minimum log level. debug includes every change to a zone or recordset.',
  ),
  logFormat: option(
    'DEFAULT',
    'log_format',
    choice(['auto', 'pretty', 'json']),
    'auto',
    'Log format: json (one object per line), pretty (for people), or auto (pretty if standard error is a terminal, else json).',
  ),
  quotaZones: option('DEFAULT', 'quota_zones', limit, '10', 'Maximum zones per project; -1 means unlimited.'),
  quotaZoneRecordsets: option(
    'DEFAULT',
    'quota_zone_recordsets',
    limit,
    '500',
    'Maximum recordsets per zone.',
  ),
  quotaZoneRecords: option('DEFAULT', 'quota_zone_records', limit, '500', 'Maximum records per zone.'),
  quotaRecordsetRecords: option(
    'DEFAULT',
    'quota_recordset_records',
    limit,
    '20',
    'Maximum records per recordset.',
  ),
  quotaApiExportSize: option(
    'DEFAULT',
    'quota_api_export_size',
    limit,
    '1000',
    'Maximum recordsets per export.',
  ),
  supportedRecordTypes: option(
    'DEFAULT',
    'supported_record_type',
    listOf(recordType, 1),
    [...RECORD_TYPES, NUMBERED_TYPES].join(', '),
    'Record types that may be created through the API and zone files. `TYPE*` means all types that only have a number, such as TYPE65280 (RFC 3597). Existing recordsets and the contents of secondary zones are not affected.',
  ),
  ...CONTACT_OPTIONS,
  maxZoneSize: option(
    'DEFAULT',
    'max_zone_size',
    integer(1, 2147483647),
    '8388608',
    'Maximum size of a zone in bytes: its names, plus the larger of text and wire form of each record.',
  ),
  defaultTtl: option(
    'DEFAULT',
    'default_ttl',
    seconds,
    '3600',
    'TTL of a zone created without one, in seconds.',
  ),
  nsRecords: option(
    'DEFAULT',
    'ns_records',
    listOf(hostName, 1),
    'ns1.invalid.',
    'Name servers in the NS recordset of every zone; the first is the primary name server in the SOA.',
  ),
  soaRefreshMin: option(
    'DEFAULT',
    'default_soa_refresh_min',
    seconds,
    '3500',
    'Minimum refresh time of an SOA, in seconds.',
  ),
  soaRefreshMax: option(
    'DEFAULT',
    'default_soa_refresh_max',
    seconds,
    '3600',
    'Maximum refresh time of an SOA, in seconds.',
  ),
  soaRetry: option('DEFAULT', 'default_soa_retry', seconds, '600', 'Retry time of an SOA, in seconds.'),
  soaExpire: option('DEFAULT', 'default_soa_expire', seconds, '86400', 'Expire time of an SOA, in seconds.'),
  soaMinimum: option(
    'DEFAULT',
    'default_soa_minimum',
    seconds,
    '3600',
    'Negative-caching time of an SOA, in seconds.',
  ),
  ...API_OPTIONS,
  ...BLACKLIST_OPTIONS,
  ...GUARDRAIL_OPTIONS,
  ...KEYSTONE_OPTIONS,
  ...METRICS_OPTIONS,
  ...PUBLICATION_OPTIONS,
  ...SECONDARY_TRANSFER_OPTIONS,
  ...SECONDARY_OPTIONS,
  ...STORAGE_OPTIONS,
  ...EVENT_OPTIONS,
  ...HISTORY_OPTIONS,
  ...TOKEN_OPTIONS,
  policyFile: option(
    'oslo_policy',
    'policy_file',
    text,
    '',
    'YAML file in oslo.policy syntax that overrides the rules in docs/policy.md.',
  ),
} as const satisfies Record<string, Option<unknown>>;

/** The value of every option. */
export type Config = ValuesOf<typeof OPTIONS> & WebhookConfigs;

/** The environment variable that sets an option. */
export function variableOf({ section, name }: Pick<Option<unknown>, 'section' | 'name'>): string {
  return `ZONEWARDEN_${section.replace(/[:-]/g, '_')}__${name}`.toUpperCase();
}
