import { address, choice, httpUrl, integer, listOf, network } from './kinds.ts';
import { option } from './option.ts';

export const EXTENSIONS = ['quotas'] as const;

/** The section `[service:api]`. */
export const API_OPTIONS = {
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
} as const;
