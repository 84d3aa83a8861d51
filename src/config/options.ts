import { BLACKLIST_OPTIONS } from './blacklist-options.ts';
import { CONTACT_OPTIONS } from './contact-options.ts';
import { EVENT_OPTIONS } from './event-options.ts';
import { KEYSTONE_OPTIONS } from './keystone-options.ts';
import { address, choice, hostName, httpUrl, integer, listOf, network, required, text } from './kinds.ts';
import { METRICS_OPTIONS } from './metrics-options.ts';
import { type Option, option } from './option.ts';
import { PUBLICATION_OPTIONS } from './publication-options.ts';
import { SECONDARY_OPTIONS } from './secondary-options.ts';
import { SECONDARY_TRANSFER_OPTIONS } from './secondary-transfer-options.ts';
import { STORAGE_OPTIONS } from './storage-options.ts';

const limit = integer(-1, 2147483647);
const seconds = integer(1, 2147483647);

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export const EXTENSIONS = ['quotas'] as const;

/** Every option: the single source of the types, the checks, `config print` and docs/configuration.md. */
export const OPTIONS = {
  dataDir: option(
    'DEFAULT',
    'data_dir',
    required('folder'),
    './data',
    'The folder of the embedded database and the first admin token. Created with mode 0700 if it does not exist.',
  ),
  logLevel: option(
    'DEFAULT',
    'log_level',
    choice(LOG_LEVELS),
    'info',
    'The lowest level that is logged; debug includes each change of a zone or a recordset.',
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
  ...CONTACT_OPTIONS,
  maxZoneSize: option(
    'DEFAULT',
    'max_zone_size',
    integer(1, 2147483647),
    '8388608',
    'Maximum size of a zone in bytes: its names, and for each record the larger of its text and its wire form.',
  ),
  defaultTtl: option(
    'DEFAULT',
    'default_ttl',
    seconds,
    '3600',
    'The TTL of a zone created without one, in seconds.',
  ),
  nsRecords: option(
    'DEFAULT',
    'ns_records',
    listOf(hostName, 1),
    'ns1.invalid.',
    'The name servers in the NS recordset of every zone; the first is the primary name server in the SOA.',
  ),
  soaRefreshMin: option(
    'DEFAULT',
    'default_soa_refresh_min',
    seconds,
    '3500',
    'The minimum refresh time of an SOA, in seconds.',
  ),
  soaRefreshMax: option(
    'DEFAULT',
    'default_soa_refresh_max',
    seconds,
    '3600',
    'The maximum refresh time of an SOA, in seconds.',
  ),
  soaRetry: option('DEFAULT', 'default_soa_retry', seconds, '600', 'The retry time of an SOA, in seconds.'),
  soaExpire: option(
    'DEFAULT',
    'default_soa_expire',
    seconds,
    '86400',
    'The expire time of an SOA, in seconds.',
  ),
  soaMinimum: option(
    'DEFAULT',
    'default_soa_minimum',
    seconds,
    '3600',
    'The negative-caching time of an SOA, in seconds.',
  ),
  listen: option(
    'service:api',
    'listen',
    address,
    '127.0.0.1:9001',
    'The address and port of the API; port 0 selects a free port.',
  ),
  publicUrl: option(
    'service:api',
    'public_url',
    httpUrl,
    '',
    'The base URL of every link in a response, for a service behind a proxy. Empty: the Host header of the request.',
  ),
  extensionsV1: option(
    'service:api',
    'enabled_extensions_v1',
    listOf(choice(EXTENSIONS)),
    '',
    'Extensions served under /v1. Unless "quotas" is listed, its paths return 404.',
  ),
  defaultLimit: option(
    'service:api',
    'default_limit_v2',
    integer(1, 1000),
    '20',
    'Entries per page when a request gives no limit.',
  ),
  maxLimit: option('service:api', 'max_limit_v2', integer(1, 1000), '1000', 'Maximum entries per page.'),
  maxBodySize: option(
    'service:api',
    'max_request_body_size',
    integer(1024, 1073741824),
    '1048576',
    'Maximum size of a request body, in bytes. A larger one gets 413.',
  ),
  maxImportSize: option(
    'service:api',
    'max_import_size',
    integer(1024, 1073741824),
    '67108864',
    'Maximum size of an imported zone file, in bytes. A larger one gets 413.',
  ),
  maxIdempotencyKeys: option(
    'service:api',
    'max_idempotency_keys',
    integer(1, 2147483647),
    '10000',
    'Maximum responses that are kept per project for the Idempotency-Keys of the last 24 hours. A request with a further key gets 413.',
  ),
  maxIdempotencyBytes: option(
    'service:api',
    'max_idempotency_bytes',
    integer(1024, 1099511627776),
    '16777216',
    'Maximum size of these responses together per project, in bytes.',
  ),
  maxHeaderSize: option(
    'service:api',
    'max_header_size',
    integer(1024, 1048576),
    '16384',
    'Maximum size of the request line and headers together, in bytes.',
  ),
  requestTimeout: option(
    'service:api',
    'request_timeout',
    integer(1, 3600),
    '60',
    'How long a client may take to send one request, in seconds.',
  ),
  sendTimeout: option(
    'service:api',
    'send_timeout',
    integer(1, 3600),
    '30',
    'How long an answer may wait for a client that reads less than 4,096 bytes a second, in seconds; then the connection is closed.',
  ),
  minUploadRate: option(
    'service:api',
    'min_upload_rate',
    integer(1, 1073741824),
    '32768',
    'The least rate at which a body larger than max_request_body_size has to arrive, in bytes per second, averaged over 5 seconds. A slower one gets 408.',
  ),
  keepAliveTimeout: option(
    'service:api',
    'keep_alive_timeout',
    integer(1, 3600),
    '75',
    'How long an idle connection is kept open, in seconds.',
  ),
  maxConnections: option(
    'service:api',
    'max_connections',
    integer(1, 1000000),
    '10000',
    'Maximum number of open connections.',
  ),
  accessDeniedStatus: option(
    'service:api',
    'access_denied_status',
    choice(['401', '403']),
    '401',
    'The status for a known caller who lacks the required role. Clients written for Designate expect 403.',
  ),
  trustedProxies: option(
    'service:api',
    'trusted_proxies',
    listOf(network),
    '',
    "Peers whose X-Forwarded-For header gives the client's address.",
  ),
  failedTokensPerSecond: option(
    'service:api',
    'failed_tokens_per_second',
    integer(1, 1000000),
    '10',
    'Failed credentials per second from one address; further failed attempts get 429.',
  ),
  ...BLACKLIST_OPTIONS,
  ...KEYSTONE_OPTIONS,
  ...METRICS_OPTIONS,
  ...PUBLICATION_OPTIONS,
  ...SECONDARY_TRANSFER_OPTIONS,
  ...SECONDARY_OPTIONS,
  ...STORAGE_OPTIONS,
  ...EVENT_OPTIONS,
  policyFile: option(
    'oslo_policy',
    'policy_file',
    text,
    '',
    "A YAML file in oslo.policy's syntax that overrides rules of docs/policy.md.",
  ),
} as const satisfies Record<string, Option<unknown>>;

type Options = typeof OPTIONS;
/** The value of every option. */
export type Config = { readonly [K in keyof Options]: Options[K] extends Option<infer T> ? T : never };

/** The environment variable that sets an option. */
export function variableOf({ section, name }: Pick<Option<unknown>, 'section' | 'name'>): string {
  return `ZONEWARDEN_${section.replace(/[:-]/g, '_')}__${name}`.toUpperCase();
}
