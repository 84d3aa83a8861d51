import { integer, listOf, network } from './kinds.ts';
import { option } from './option.ts';

const seconds = integer(1, 2147483);

/** The section `[secondary]`: zones that are transferred in from masters that their owners name. */
export const SECONDARY_OPTIONS = {
  allowedMasters: option(
    'secondary',
    'allowed_masters',
    listOf(network),
    '',
    'Networks in which the masters of secondary zones may be. Empty: everywhere, private networks included, but not on this machine (127.0.0.0/8, ::1) or its links (169.254.0.0/16, fe80::/10). Unspecified, multicast and reserved addresses are never allowed.',
  ),
  minRefreshTime: option(
    'secondary',
    'min_refresh_time',
    seconds,
    '300',
    "The least time between two questions to the masters of a zone that is up to date, whatever the master's SOA says, in seconds.",
  ),
  maxRefreshTime: option(
    'secondary',
    'max_refresh_time',
    seconds,
    '604800',
    'The longest such time, in seconds.',
  ),
  minRetryTime: option(
    'secondary',
    'min_retry_time',
    seconds,
    '60',
    "The least time until the masters of a zone are asked again after they did not answer, whatever the master's SOA says, in seconds.",
  ),
  maxRetryTime: option('secondary', 'max_retry_time', seconds, '86400', 'The longest such time, in seconds.'),
  minExpireTime: option(
    'secondary',
    'min_expire_time',
    seconds,
    '3600',
    'The least time for which a zone is answered although no master is heard, in seconds.',
  ),
  maxExpireTime: option(
    'secondary',
    'max_expire_time',
    seconds,
    '2147483',
    'The longest such time, in seconds.',
  ),
} as const;
