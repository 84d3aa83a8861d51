import type { Parsed } from '../../dns/parsed.ts';
import { ERROR_CATALOGUE } from '../../model/errors.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Parses a UUID into its stored form, lower case. */
export function parseUuid(text: string): Parsed<string> {
  const value = text.length === 36 ? text.toLowerCase() : '';
  return UUID.test(value) ? { ok: true, value } : { ok: false, reason: ERROR_CATALOGUE.invalid_uuid };
}
