/** Headers of requests that routes look at, besides those that each request may have. */
export const REQUEST_HEADERS = {
  'X-Auth-All-Projects': '`true` to act on the resources of all projects.',
  'X-Auth-Sudo-Project-ID': 'The id of another project to act for.',
  'X-Auth-Sudo-Tenant-ID': 'An older name of X-Auth-Sudo-Project-ID.',
  'X-Designate-Delete-Shares': '`true` to end the shares of the zone, too.',
  'X-Designate-Edit-Managed-Records': '`true` to ask for the right to change what the service manages.',
  'X-Designate-Hard-Delete': '`true` to remove the zone without waiting for its name servers.',
  'OpenStack-DNS-Hide-Counts': '`true` to leave out the number of entries.',
  'If-Match':
    'An ETag, or several, or `*`: the resource is changed or read only if it has one of them (RFC 9110).',
  'If-None-Match': 'An ETag, or several: what has one of them is not sent again (RFC 9110).',
  'Idempotency-Key':
    'A text of the client for this request: however often it is sent, it creates once and is answered alike.',
} as const satisfies Record<string, string>;

export type RequestHeader = keyof typeof REQUEST_HEADERS;

/** Headers of answers, besides those that HTTP itself asks for. */
export const ANSWER_HEADERS = {
  ETag: 'The state of the resource.',
  'Idempotency-Replayed': '`true` if the answer is that to an earlier request with the same Idempotency-Key.',
  Link: 'The next page, if any, with the relation `next` (RFC 8288), where the body has no links.',
  Location: 'The resource.',
  'Retry-After': 'After how many seconds to try again.',
  Warning: 'The name matches a blacklist that is going to be enforced (RFC 7234, section 5.5).',
  'WWW-Authenticate': 'What is wrong with the credentials (RFC 6750), and where to get some.',
  'X-Openstack-Request-Id': 'The id of the request; every log line about it has it.',
  'X-Zonewarden-Blacklist-Bypassed': 'The id of the blacklist that the name was allowed to match.',
} as const satisfies Record<string, string>;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;
