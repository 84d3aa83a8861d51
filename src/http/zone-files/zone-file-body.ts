import { object, readAs, text } from '../../domain/shapes/shape.ts';
import { storableFault } from '../../model/text.ts';
import { type BodyReaders, readJson } from '../edge/body.ts';
import { EdgeError } from '../edge/errors.ts';
import { zoneAttributes } from '../zones/zone-attributes.ts';

/** A zone file, and zone attributes that it cannot express. */
export interface GivenZoneFile {
  readonly text: AsyncGenerator<string, void>;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Minimum bytes to decode at once, so that a client sending single bytes causes no extra work. */
const MIN_PIECE = 65_536;

export const ZONE_FILE_EXAMPLE = [
  '$ORIGIN example.org.',
  '@ 3600 IN SOA ns1.example.net. hostmaster.example.org. 1 3600 600 86400 3600',
  '@ 3600 IN NS ns1.example.net.',
  'www 3600 IN A 192.0.2.1',
  '',
].join('\n');

/** Joins the input into pieces of at least that size, except the last. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size < MIN_PIECE) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** The text of a zone file, decoded as it arrives. */
export async function* textOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  // Invalid UTF-8 becomes U+FFFD, which the zone file parser accepts only in comments.
  const decoder = new TextDecoder('utf-8');
  let isEmpty = true;
  for await (const piece of inPieces(bytes)) {
    isEmpty = false;
    yield decoder.decode(piece, { stream: true });
  }
  if (isEmpty) throw new EdgeError('empty_request_body', 'The operation needs a zone file.');
  yield decoder.decode();
}

const withAttributes = object(
  { zonefile: text(storableFault, { description: 'A zone file.', examples: [ZONE_FILE_EXAMPLE] }) },
  { attributes: zoneAttributes },
);

/** Waits for the whole body. */
export async function wholeBody(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

async function fileInJson(bytes: AsyncIterable<Uint8Array>): Promise<GivenZoneFile> {
  const { zonefile, attributes = {} } = readAs(withAttributes, readJson(await wholeBody(bytes)));
  async function* whole(): AsyncGenerator<string, void> {
    yield zonefile;
  }
  return { text: whole(), attributes };
}

/** Maximum body sizes, in bytes. */
export interface ZoneFileSizes {
  readonly asText: number;
  /** JSON is parsed as a whole. */
  readonly inJson: number;
}

/**
 * Readers for zone files: streamed text in UTF-8 (other bytes are allowed only in comments), or JSON that contains the
 * text and attributes of the zone.
 */
export function zoneFileBody({ asText, inJson }: ZoneFileSizes): BodyReaders<Promise<GivenZoneFile>> {
  return [
    {
      mediaType: 'text/dns',
      maxSize: asText,
      schema: {
        type: 'string',
        minLength: 1,
        description: 'A zone file, in UTF-8.',
        examples: [ZONE_FILE_EXAMPLE],
      },
      readAsItArrives: async (bytes) => ({ text: textOf(bytes), attributes: {} }),
    },
    {
      mediaType: 'application/json',
      maxSize: inJson,
      schema: withAttributes.schema,
      readAsItArrives: fileInJson,
    },
  ];
}
