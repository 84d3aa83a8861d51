/** Request headers as Node.js reads them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Request headers that only some routes read. */
export const REQUEST_HEADERS = {
  'X-Auth-All-Projects': '`true` to act on the resources of all projects.',
  'X-Auth-Sudo-Project-ID': 'ID of another project to act for.',
  'X-Auth-Sudo-Tenant-ID': 'Older name of X-Auth-Sudo-Project-ID.',
  'X-Designate-Delete-Shares': '`true` to also end the shares of the zone.',
  'X-Designate-Edit-Managed-Records': '`true` to allow changes to recordsets that the service manages.',
  'X-Designate-Hard-Delete': '`true` to remove the zone without waiting for its name servers.',
  'X-Zonewarden-Override':
    'Names of guardrails, separated by commas: their refusal passes, if the caller may override them.',
  'OpenStack-DNS-Hide-Counts': '`true` to omit the number of entries.',
  'If-Match': 'One or more ETags, or `*`: proceed only if the resource has one of them (RFC 9110).',
  'If-None-Match': 'One or more ETags: a resource that has one of them is not sent again (RFC 9110).',
  'Idempotency-Key':
    'A client-chosen key for this request. Repeating the request with the same key creates only once and returns the same response.',
} as const satisfies Record<string, string>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Query alternatives to the header X-Auth-All-Projects. */
export const ALL_PROJECTS = ['all_projects', 'all_tenants'];
/** Query alternatives to the header X-Designate-Edit-Managed-Records. */
export const EDIT_MANAGED = ['edit_managed_records'];

/** Response headers, beyond those that HTTP requires. */
export const RESPONSE_HEADERS = {
  ETag: 'Identifies the state of the resource.',
  'Idempotency-Replayed':
    '`true` if this response belongs to an earlier request with the same Idempotency-Key.',
  Link: 'The next page (`rel=next`, RFC 8288), if the body has no links.',
  Location: 'URL of the resource.',
  'Retry-After': 'Seconds to wait before retrying.',
  Warning:
    'The name matches a blacklist that will be enforced, or the zone hides recordsets of the zone above it (RFC 7234, section 5.5). In plain text: why something was refused.',
  'WWW-Authenticate': 'Problem with the credentials, and where to get valid ones (RFC 6750).',
  'X-Openstack-Request-Id': 'ID of the request, also in every log line about it.',
  'X-Zonewarden-Change': 'ID of the change of recordsets, in the history of the zone.',
  'X-Zonewarden-Blacklist-Bypassed': 'ID of the blacklist that the name was allowed to match.',
} as const satisfies Record<string, string>;

export type ResponseHeader = keyof typeof RESPONSE_HEADERS;
