import { integer, text } from './kinds.ts';
import { option } from './option.ts';

/** The section `[events]`. */
export const EVENT_OPTIONS = {
  eventKeep: option(
    'events',
    'keep',
    integer(0, 36500),
    '90',
    'How long events are kept, in days; 0 means forever.',
  ),
  eventKeyFile: option(
    'events',
    'key_file',
    text,
    '',
    'File with the secret key that authenticates events: 64 hexadecimal digits, with previous keys on further lines. Use the same keys on every process of one database. Empty: events.key in data_dir, created with mode 0600 on first start.',
  ),
} as const;
