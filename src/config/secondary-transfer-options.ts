import { integer } from './kinds.ts';
import { option } from './option.ts';

const seconds = integer(1, 86400);

/** The section `[secondary]`: limits of inbound transfers. */
export const SECONDARY_TRANSFER_OPTIONS = {
  secondaryMaxQuestions: option(
    'secondary',
    'max_questions',
    integer(1, 10000),
    '100',
    'Secondary zones checked with their masters concurrently, in this process. One project gets at most half of the slots that other projects leave free.',
  ),
  secondaryMaxTransfers: option(
    'secondary',
    'max_transfers',
    integer(1, 1000),
    '10',
    'Concurrent transfers from masters, in this process; further ones wait. One project gets at most half of the slots that other projects leave free.',
  ),
  secondaryMaxTransfersPerMaster: option(
    'secondary',
    'max_transfers_per_master',
    integer(1, 1000),
    '2',
    'Concurrent transfers from one address.',
  ),
  secondaryConnectTimeout: option(
    'secondary',
    'connect_timeout',
    seconds,
    '10',
    'Time limit for a TCP connection to a master, in seconds.',
  ),
  secondaryAnswerTimeout: option(
    'secondary',
    'answer_timeout',
    seconds,
    '30',
    'How long a master may take to start a transfer, in seconds.',
  ),
  secondaryTransferTimeout: option(
    'secondary',
    'transfer_timeout',
    seconds,
    '240',
    'Time limit of one transfer, in seconds.',
  ),
  secondaryTransferRate: option(
    'secondary',
    'transfer_rate',
    integer(1, 1000000000),
    '1000',
    'Minimum rate of a transfer, in bytes per second, averaged over 10 seconds; slower ones are aborted.',
  ),
  secondaryMaxTransferSize: option(
    'secondary',
    'max_transfer_size',
    integer(65536, 1099511627776),
    '268435456',
    'Maximum size of one transfer on the wire, in bytes. A larger one is aborted. Quotas and max_zone_size also apply.',
  ),
  secondaryMaxTransferRecords: option(
    'secondary',
    'max_transfer_records',
    integer(1, 1000000000),
    '5000000',
    'Maximum records in one transfer. A larger one is aborted.',
  ),
  secondaryMaxDifferenceSize: option(
    'secondary',
    'max_difference_size',
    integer(0, 1073741824),
    '4194304',
    'Maximum memory for the differences of one IXFR, in bytes. Beyond it the whole zone is fetched by AXFR.',
  ),
} as const;
