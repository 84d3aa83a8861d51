import { integer, text } from './kinds.ts';
import { option } from './option.ts';

/** The section `[events]`. */
export const EVENT_OPTIONS = {
  eventKeep: option(
    'events',
    'keep',
    integer(0, 36500),
    '90',
    'How long events are kept, in days; 0 means for ever.',
  ),
  eventKeyFile: option(
    'events',
    'key_file',
    text,
    '',
    'The file with the secret key that proves events: 64 hexadecimal digits, with keys that were used before on further lines. The same for all processes on one database. Empty: events.key in data_dir, created with mode 0600 at the first start.',
  ),
} as const;
