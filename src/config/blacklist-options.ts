import { choice, InvalidValueError, integer, listOf, type OptionKind } from './kinds.ts';
import { option } from './option.ts';

const NAMES = ['zones', 'recordsets'] as const;
const some = listOf(choice(NAMES), 1);

/** The names that blacklists apply to; zone names are always included. */
const namesChecked: OptionKind<readonly (typeof NAMES)[number][]> = {
  name: '"zones", or "zones, recordsets"',
  read(value) {
    const names = some.read(value);
    if (!names.includes('zones')) throw new InvalidValueError('Must be "zones" or "zones, recordsets".');
    return names;
  },
};

/** The section `[blacklists]`. */
export const BLACKLIST_OPTIONS = {
  blacklistsApplyTo: option(
    'blacklists',
    'apply_to',
    namesChecked,
    'zones',
    'Names that the blacklists apply to: new zones, and with "recordsets" also new owner names below the apex, created or imported. Use the same value on every process.',
  ),
  maxBlacklistImportSize: option(
    'blacklists',
    'max_import_size',
    integer(1024, 1073741824),
    '134217728',
    'Maximum size of a pattern file imported over HTTP, in bytes. A larger one gets 413.',
  ),
};
