/** The contents of a zone at a former time. */
import { type PastContents, recordsetsOf, zoneFileOf } from '../../domain/history/past-contents.ts';
import type { PastMoment } from '../../domain/history/past-zone.ts';
import { spelledRecords } from '../../model/recordsets/recordset.ts';
import { EdgeError } from '../edge/errors.ts';
import { JSON_TYPE } from '../edge/responses.ts';
import { exactTimeOf } from '../edge/time-parameter.ts';
import { readOnce, readSerial, SERIAL } from './serial-parameters.ts';

/** Selects a former time; without a parameter, the present. */
export const MOMENT = {
  parameters: {
    serial: { ...SERIAL, description: 'The zone after the last change with this serial.' },
    at: { type: 'string', description: 'The zone as it was at this time.' },
  } as const,
  /** @throws EdgeError `bad_request` */
  read(parameters: URLSearchParams): PastMoment | undefined {
    const { serial, at } = readOnce(parameters, ['serial', 'at']);
    if (serial !== undefined && at !== undefined)
      throw new EdgeError('bad_request', 'Give either a serial or a time.');
    if (at !== undefined) return { at: exactTimeOf(at) };
    return serial === undefined ? undefined : { serial: readSerial(serial, 'serial') };
  },
};

/** The contents as JSON, a page at a time. */
function* contentsJson({ pages }: PastContents): Generator<string, void> {
  yield '{"recordsets":[';
  let separator = '';
  for (const page of pages) {
    const texts = recordsetsOf(page).map((recordset) => {
      const { name, type, ttl, description } = recordset;
      return JSON.stringify({ name, type, ttl, records: spelledRecords(recordset), description });
    });
    yield separator + texts.join(',');
    separator = ',';
  }
  yield ']}';
}

async function* chunked(texts: Iterable<string>): AsyncGenerator<string, void> {
  yield* texts;
}

/** The body in a media type. */
export function pastBody(past: PastContents, form: string): AsyncIterable<string> {
  return form === JSON_TYPE ? chunked(contentsJson(past)) : zoneFileOf(past);
}
