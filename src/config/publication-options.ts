import { address, flag, integer, listOf, network } from './kinds.ts';
import { option } from './option.ts';

const count = integer(1, 1000000);

/** The sections `[service:mdns]` and `[service:worker]`: the hidden primary, and the publication of changes. */
export const PUBLICATION_OPTIONS = {
  mdnsListen: option(
    'service:mdns',
    'listen',
    listOf(address),
    '',
    'Addresses (host:port, UDP and TCP) where name servers query and transfer zones; 5354 is the usual port. Empty: this process runs no hidden primary.',
  ),
  mdnsAllowNetworks: option(
    'service:mdns',
    'allow_networks',
    listOf(network),
    '',
    'Networks that may query without a TSIG key.',
  ),
  mdnsUpdate: option(
    'service:mdns',
    'update',
    flag,
    'true',
    'Take DNS UPDATE messages (RFC 2136) that are signed by a TSIG key with the permission "update".',
  ),
  mdnsMaxTransfers: option(
    'service:mdns',
    'max_transfers',
    integer(1, 1000),
    '16',
    'Concurrent transfers in this process. On PostgreSQL each uses a connection in addition to pool_size.',
  ),
  mdnsMaxTransfersPerServer: option(
    'service:mdns',
    'max_transfers_per_server',
    integer(1, 1000),
    '10',
    'Concurrent transfers to one server; further ones wait.',
  ),
  mdnsMaxConnections: option(
    'service:mdns',
    'max_connections',
    count,
    '1000',
    'Concurrent TCP connections; further ones are closed.',
  ),
  mdnsMaxConnectionsPerClient: option(
    'service:mdns',
    'max_connections_per_client',
    count,
    '100',
    'Concurrent TCP connections from one address; further ones are closed.',
  ),
  mdnsIdleTimeout: option(
    'service:mdns',
    'idle_timeout',
    integer(1, 3600),
    '30',
    'How long an idle TCP connection stays open, in seconds.',
  ),
  mdnsTransferTimeout: option(
    'service:mdns',
    'transfer_timeout',
    integer(1, 86400),
    '600',
    'Time limit of one transfer, in seconds.',
  ),
  mdnsTransferRate: option(
    'service:mdns',
    'transfer_rate',
    integer(1, 1000000000),
    '10000',
    'Minimum rate at which a server must read a transfer, in bytes per second, averaged over 10 seconds; slower ones are closed.',
  ),
  journalChanges: option(
    'service:worker',
    'journal_changes',
    integer(0, 100000),
    '100',
    'Changes kept per zone for IXFR.',
  ),
  journalBytes: option(
    'service:worker',
    'journal_bytes',
    integer(0, 1000000000),
    '1048576',
    'Maximum size of the changes kept per zone for IXFR, in bytes.',
  ),
  formerNames: option(
    'service:worker',
    'former_names',
    count,
    '1000',
    'Names of deleted zones remembered per project, so that a recreated zone starts above its last serial and the sweep finds zones that servers still have.',
  ),
  formerDays: option(
    'service:worker',
    'former_days',
    integer(1, 365),
    '7',
    'How long names of deleted zones are remembered, in days.',
  ),
  publishErrorAfter: option(
    'service:worker',
    'error_after',
    integer(1, 86400),
    '300',
    'How long servers may lag before the zone goes to ERROR, in seconds.',
  ),
  maxQuestions: option(
    'service:worker',
    'max_questions',
    integer(1, 10000),
    '200',
    'Maximum outstanding queries to name servers in this process; half as many to one server.',
  ),
  sweepHours: option(
    'service:worker',
    'sweep_hours',
    integer(1, 8760),
    '24',
    'Hours in which the sweep checks every zone on every server once.',
  ),
  sweepRate: option(
    'service:worker',
    'sweep_rate',
    integer(1, 100000),
    '50',
    'Maximum queries per second of the sweep.',
  ),
} as const;
