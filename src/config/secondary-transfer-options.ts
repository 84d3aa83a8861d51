import { integer } from './kinds.ts';
import { option } from './option.ts';

const seconds = integer(1, 86400);

/** The section `[secondary]`: how zones are transferred in from masters of their own. */
export const SECONDARY_TRANSFER_OPTIONS = {
  secondaryMaxQuestions: option(
    'secondary',
    'max_questions',
    integer(1, 10000),
    '100',
    'Secondary zones whose masters are asked at once, in this process. Zones of one project take at most half of the places that other projects leave.',
  ),
  secondaryMaxTransfers: option(
    'secondary',
    'max_transfers',
    integer(1, 1000),
    '10',
    'Transfers from masters at once, in this process; further ones wait. Zones of one project take at most half of the places that other projects leave.',
  ),
  secondaryMaxTransfersPerMaster: option(
    'secondary',
    'max_transfers_per_master',
    integer(1, 1000),
    '2',
    'Transfers at once from one address.',
  ),
  secondaryConnectTimeout: option(
    'secondary',
    'connect_timeout',
    seconds,
    '10',
    'How long a master may take to accept a connection by TCP, in seconds.',
  ),
  secondaryAnswerTimeout: option(
    'secondary',
    'answer_timeout',
    seconds,
    '30',
    'How long a master may take until a transfer begins to come, in seconds.',
  ),
  secondaryTransferTimeout: option(
    'secondary',
    'transfer_timeout',
    seconds,
    '240',
    'How long one transfer may take, in seconds.',
  ),
  secondaryTransferRate: option(
    'secondary',
    'transfer_rate',
    integer(1, 1000000000),
    '1000',
    'The least bytes a second that a master must send during a transfer, averaged over 10 seconds; slower ones are broken off.',
  ),
  secondaryMaxTransferSize: option(
    'secondary',
    'max_transfer_size',
    integer(65536, 1099511627776),
    '268435456',
    'Maximum size of one transfer as it comes, in bytes. A larger one is broken off; quotas and max_zone_size hold as well.',
  ),
  secondaryMaxTransferRecords: option(
    'secondary',
    'max_transfer_records',
    integer(1, 1000000000),
    '5000000',
    'Maximum records of one transfer. One with more is broken off.',
  ),
  secondaryMaxDifferenceSize: option(
    'secondary',
    'max_difference_size',
    integer(0, 1073741824),
    '4194304',
    'Maximum memory for the differences of one IXFR, in bytes. For larger ones the whole zone is fetched by AXFR.',
  ),
} as const;
