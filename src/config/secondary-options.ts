import { integer, listOf, PUBLIC, publicOrNetwork } from './kinds.ts';
import { option } from './option.ts';

const seconds = integer(1, 2147483);

/** The section `[secondary]`: zones transferred in from masters that their owners choose. */
export const SECONDARY_OPTIONS = {
  allowedMasters: option(
    'secondary',
    'allowed_masters',
    listOf(publicOrNetwork),
    PUBLIC,
    'Allowed addresses of masters of secondary zones: `public` (Internet and documentation addresses) and networks. Private, loopback and link-local addresses are allowed only if listed. Multicast and reserved addresses and cloud metadata services are never allowed. Empty: public.',
  ),
  minRefreshTime: option(
    'secondary',
    'min_refresh_time',
    seconds,
    '300',
    "Minimum refresh interval of a zone, overriding a shorter one in the master's SOA, in seconds.",
  ),
  maxRefreshTime: option(
    'secondary',
    'max_refresh_time',
    seconds,
    '604800',
    "Maximum refresh interval of a zone, overriding a longer one in the master's SOA, in seconds.",
  ),
  minRetryTime: option(
    'secondary',
    'min_retry_time',
    seconds,
    '60',
    "Minimum retry interval after masters did not answer, overriding a shorter one in the master's SOA, in seconds.",
  ),
  maxRetryTime: option(
    'secondary',
    'max_retry_time',
    seconds,
    '86400',
    "Maximum retry interval, overriding a longer one in the master's SOA, in seconds.",
  ),
  minExpireTime: option(
    'secondary',
    'min_expire_time',
    seconds,
    '3600',
    "Minimum time a zone is served without contact with a master, overriding a shorter one in the master's SOA, in seconds.",
  ),
  maxExpireTime: option(
    'secondary',
    'max_expire_time',
    seconds,
    '2147483',
    "Maximum time a zone is served without contact with a master, overriding a longer one in the master's SOA, in seconds.",
  ),
} as const;
