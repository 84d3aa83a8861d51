import type { Incoming } from '../../domain/blacklist-lists/incoming.ts';
import { PATTERN_FILE_FORMATS, type PatternFileFormat } from '../../domain/blacklists/pattern-file.ts';
import { MODES, type Terms } from '../../model/blacklists/blacklist.ts';
import { parseTimestamp } from '../../model/clock.ts';
import { type Fault, invalidObject } from '../../model/errors.ts';
import type { BodyReaders } from '../edge/body.ts';
import { JSON_LINES } from '../edge/responses.ts';
import type { QueryReader } from '../edge/route.ts';

/** Query parameters of an import. */
export interface ImportQuery {
  /** If undefined, derived from the media type of the body. */
  readonly format: PatternFileFormat | undefined;
  readonly list: string;
  readonly terms: Partial<Terms>;
  readonly isForced: boolean;
  readonly isSync: boolean;
  readonly isDryRun: boolean;
}

/** A pattern file, streamed. */
export interface GivenPatternFile {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly isJsonLines: boolean;
}

const flag = (description: string) => ({ type: 'boolean', description }) as const;

const PARAMETERS = {
  format: {
    type: 'string',
    enum: PATTERN_FILE_FORMATS,
    description: 'Format of the lines. Default: derived from the media type.',
  },
  list: { type: 'string', description: 'List to put the entries on.' },
  mode: { type: 'string', enum: MODES, description: 'Mode of new entries that set none.' },
  expires_at: { type: 'string', description: 'Default expiry of new entries.' },
  force: flag('Also accept patterns that match nearly everything.'),
  sync: flag('Remove entries from the list that are not in the file.'),
  dry_run: flag('Change nothing.'),
} as const;
const NAMES = Object.keys(PARAMETERS);

class QueryFaults {
  readonly #faults: Fault[] = [];
  readonly #parameters: URLSearchParams;

  constructor(parameters: URLSearchParams) {
    this.#parameters = parameters;
    for (const name of new Set(parameters.keys()))
      if (!NAMES.includes(name)) this.add(name, `Unknown parameter. Use one of: ${NAMES.join(', ')}.`);
  }

  add(name: string, message: string): void {
    this.#faults.push({ path: [name], message });
  }

  flag(name: string): boolean {
    const text = this.#parameters.get(name);
    if (text === null || text === 'false') return false;
    if (text !== 'true') this.add(name, 'Must be "true" or "false".');
    return true;
  }

  choice<V extends string>(name: string, values: readonly V[]): V | undefined {
    const text = this.#parameters.get(name);
    const found = values.find((value) => value === text);
    if (text !== null && found === undefined) this.add(name, `Must be one of: ${values.join(', ')}.`);
    return found;
  }

  time(name: string): string | undefined {
    const text = this.#parameters.get(name);
    if (text === null) return undefined;
    const parsed = parseTimestamp(text);
    if (parsed.ok) return parsed.value;
    this.add(name, parsed.reason);
    return undefined;
  }

  requireNone(): void {
    if (this.#faults.length > 0) throw invalidObject(this.#faults);
  }
}

function readQuery(parameters: URLSearchParams): ImportQuery {
  const faults = new QueryFaults(parameters);
  const mode = faults.choice('mode', MODES);
  const expiresAt = faults.time('expires_at');
  const query = {
    format: faults.choice('format', PATTERN_FILE_FORMATS),
    list: parameters.get('list') ?? '',
    terms: {
      ...(mode === undefined ? {} : { mode }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
    isForced: faults.flag('force'),
    isSync: faults.flag('sync'),
    isDryRun: faults.flag('dry_run'),
  };
  faults.requireNone();
  return query;
}

/** Reads the query parameters of an import. @throws DomainError `invalid_object` */
export const importQuery: QueryReader<ImportQuery> = { parameters: PARAMETERS, read: readQuery };

/** @throws DomainError `invalid_object` if the format contradicts the media type */
export function incomingOf(query: ImportQuery, { bytes, isJsonLines }: GivenPatternFile): Incoming {
  const format = query.format ?? (isJsonLines ? 'jsonl' : 'patterns');
  if ((format === 'jsonl') !== isJsonLines) {
    const message = 'Send JSON lines as application/jsonl, and every other format as text/plain.';
    throw invalidObject([{ path: ['format'], message }]);
  }
  const { list, terms, isForced, isSync } = query;
  return { bytes, format, list, terms, isForced, isSync };
}

const EXAMPLE = String.raw`(^|\.)brand\.example\.$`;
const IN_JSON = JSON.stringify({ pattern: EXAMPLE, mode: 'audit' });

/** Maximum file size with an idempotency key, in bytes. Such a file is held in memory. */
const MAX_KEYED = 16_777_216;

/**
 * Readers for pattern files, which are parsed as they arrive.
 * @param maxSize in bytes
 */
export function patternFileBody(maxSize: number): BodyReaders<GivenPatternFile> {
  const schema = (description: string, example: string) =>
    ({ type: 'string', description, examples: [example] }) as const;
  return [
    {
      mediaType: 'text/plain',
      maxSize,
      maxKeyedSize: MAX_KEYED,
      schema: schema('A file of patterns or names, one per line.', EXAMPLE),
      readAsItArrives: (bytes) => ({ bytes, isJsonLines: false }),
    },
    {
      mediaType: JSON_LINES,
      maxSize,
      maxKeyedSize: MAX_KEYED,
      schema: schema('One JSON object per line.', IN_JSON),
      readAsItArrives: (bytes) => ({ bytes, isJsonLines: true }),
    },
  ];
}
