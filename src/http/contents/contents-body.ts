/** The body of new contents of a zone: a zone file, which is parsed as it arrives, or a list of recordsets. */
import type { GivenContents, GivenRecordset } from '../../domain/contents/wanted-contents.ts';
import { Faults } from '../../domain/shapes/faults.ts';
import { isObject, list, object, type Shape } from '../../domain/shapes/shape.ts';
import { itemsInTurns, unreadList } from '../changes/long-lists.ts';
import { type BodyReaders, readJson } from '../edge/body.ts';
import { JSON_TYPE } from '../edge/responses.ts';
import { description, name, records, ttl, type } from '../recordset-bodies.ts';
import { textOf, wholeBody, ZONE_FILE_EXAMPLE, type ZoneFileSizes } from '../zone-files/zone-file-body.ts';

export const ZONE_FILE_TYPE = 'text/dns';

const given = object({ name, type, records }, { ttl, description });

/** A member without a value is null, except the description, which then stays. */
const recordset: Shape<GivenRecordset> = {
  schema: given.schema,
  read(value, faults) {
    const read = given.read(value, faults);
    return read && { ...read, ttl: read.ttl ?? null, description: read.description };
  },
};

/** Contents whose recordsets have not been checked yet. */
interface ArrivedContents {
  /**
   * Checks the recordsets of a list, yielding to other requests.
   * @throws DomainError `invalid_object` with all faults
   */
  read(projectId: string): Promise<GivenContents>;
}

function arrivedList(body: unknown): ArrivedContents {
  const faults = new Faults((key) => key);
  const unread = unreadList();
  object({ recordsets: unread }, {}).read(body, faults);
  const items = isObject(body) ? unread.read(body.recordsets, new Faults()) : undefined;
  return {
    async read(projectId) {
      const unchecked = { key: 'recordsets', items: items ?? [], shape: recordset };
      const recordsets = await itemsInTurns(unchecked, faults, projectId);
      if (faults.count > 0) throw faults.refusal();
      return { kind: 'recordsets', recordsets };
    },
  };
}

export function contentsBody({ asText, inJson }: ZoneFileSizes): BodyReaders<Promise<ArrivedContents>> {
  return [
    {
      mediaType: JSON_TYPE,
      maxSize: inJson,
      schema: object({ recordsets: list(recordset) }, {}).schema,
      // A key takes more than one byte, so only the size bounds their number.
      readAsItArrives: async (bytes) => arrivedList(readJson(await wholeBody(bytes), inJson)),
    },
    {
      mediaType: ZONE_FILE_TYPE,
      maxSize: asText,
      schema: {
        type: 'string',
        minLength: 1,
        description: 'A zone file, in UTF-8. It needs no SOA.',
        examples: [ZONE_FILE_EXAMPLE],
      },
      readAsItArrives: async (bytes) => ({ read: async () => ({ kind: 'text', text: textOf(bytes) }) }),
    },
  ];
}
