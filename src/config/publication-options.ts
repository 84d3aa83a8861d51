import { address, integer, listOf, network } from './kinds.ts';
import { option } from './option.ts';

const count = integer(1, 1000000);

/** The sections `[service:mdns]` and `[service:worker]`: the hidden primary, and what brings changes to name servers. */
export const PUBLICATION_OPTIONS = {
  mdnsListen: option(
    'service:mdns',
    'listen',
    listOf(address),
    '',
    'The addresses (host:port, UDP and TCP) at which name servers ask for zones and transfer them; 5354 is the usual port. Empty: this process has no hidden primary.',
  ),
  mdnsAllowNetworks: option(
    'service:mdns',
    'allow_networks',
    listOf(network),
    '',
    'Networks whose questions are answered without a TSIG key.',
  ),
  mdnsMaxTransfers: option(
    'service:mdns',
    'max_transfers',
    integer(1, 1000),
    '16',
    'Transfers at once in this process; on PostgreSQL each takes a connection beside those of pool_size.',
  ),
  mdnsMaxTransfersPerServer: option(
    'service:mdns',
    'max_transfers_per_server',
    integer(1, 1000),
    '10',
    'Transfers at once to one server; further ones wait.',
  ),
  mdnsMaxConnections: option(
    'service:mdns',
    'max_connections',
    count,
    '1000',
    'TCP connections at once; further ones are closed.',
  ),
  mdnsMaxConnectionsPerClient: option(
    'service:mdns',
    'max_connections_per_client',
    count,
    '100',
    'TCP connections at once from one address; further ones are closed.',
  ),
  mdnsIdleTimeout: option(
    'service:mdns',
    'idle_timeout',
    integer(1, 3600),
    '30',
    'How long a TCP connection stays open without a question, in seconds.',
  ),
  mdnsTransferTimeout: option(
    'service:mdns',
    'transfer_timeout',
    integer(1, 86400),
    '600',
    'How long one transfer may take, in seconds.',
  ),
  mdnsTransferRate: option(
    'service:mdns',
    'transfer_rate',
    integer(1, 1000000000),
    '10000',
    'The least bytes a second that a server must take during a transfer, averaged over 10 seconds; slower ones are closed.',
  ),
  journalChanges: option(
    'service:worker',
    'journal_changes',
    integer(0, 100000),
    '100',
    'Changes of each zone that are kept for IXFR.',
  ),
  journalBytes: option(
    'service:worker',
    'journal_bytes',
    integer(0, 1000000000),
    '1048576',
    'Bytes of changes of each zone that are kept for IXFR.',
  ),
  formerNames: option(
    'service:worker',
    'former_names',
    count,
    '1000',
    'Names of deleted zones that are remembered for each project, so that a zone made again starts above its last serial and the sweep finds what a server still has.',
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
    'How long servers may stay away from a change before the zone is in ERROR, in seconds.',
  ),
  maxQuestions: option(
    'service:worker',
    'max_questions',
    integer(1, 10000),
    '200',
    'Questions to name servers that wait for an answer at once, in this process; half as many to one server.',
  ),
  sweepHours: option(
    'service:worker',
    'sweep_hours',
    integer(1, 8760),
    '24',
    'In how many hours all servers are asked for all zones once.',
  ),
  sweepRate: option(
    'service:worker',
    'sweep_rate',
    integer(1, 100000),
    '50',
    'Maximum questions a second of that sweep.',
  ),
} as const;
