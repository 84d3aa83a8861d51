/** The contents of a zone at a former time. */
import type { PastContents } from '../../domain/history/past-contents.ts';
import type { PastMoment } from '../../domain/history/past-zone.ts';
import { inChunks, zoneFileText } from '../../domain/zone-files/zone-file-text.ts';
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

function* jsonParts({ recordsets }: PastContents): Generator<string, void> {
  yield '{"recordsets":[';
  let separator = '';
  for (const page of recordsets.pages())
    for (const recordset of page) {
      const { name, type, ttl, description } = recordset;
      yield separator + JSON.stringify({ name, type, ttl, records: spelledRecords(recordset), description });
      separator = ',';
    }
  yield ']}';
}

/** The body in a media type. @param projectId the project that reads it */
export function pastBody(past: PastContents, form: string, projectId: string): AsyncIterable<string> {
  return form === JSON_TYPE ? inChunks(jsonParts(past), projectId) : zoneFileText(past, projectId);
}
