/**
 * Types that are not known here, but whose rdata may have compressed names (RFC 3597 section 4): a pointer means nothing
 * outside its message, so these are written out.
 */
import { decodeName, encodeName } from '../names.ts';
import type { WireReader } from '../reader.ts';
import { WireWriter } from '../writer.ts';
import { formatGeneral } from './general.ts';

/** The octets before the first name, and how many names there are. */
interface Layout {
  readonly before: number;
  readonly names: number;
}

/** MD, MF, MB, MG, MR, MINFO of RFC 1035; RP, AFSDB, RT of RFC 1183; PX of RFC 2163. */
const LAYOUTS: ReadonlyMap<number, Layout> = new Map([
  [3, { before: 0, names: 1 }],
  [4, { before: 0, names: 1 }],
  [7, { before: 0, names: 1 }],
  [8, { before: 0, names: 1 }],
  [9, { before: 0, names: 1 }],
  [14, { before: 0, names: 2 }],
  [17, { before: 0, names: 2 }],
  [18, { before: 2, names: 1 }],
  [21, { before: 2, names: 1 }],
  [26, { before: 2, names: 2 }],
]);

/** All rdata of such a type in the general form; undefined for another type. @throws FormError */
export function decodeOldType(reader: WireReader, type: number): string | undefined {
  const layout = LAYOUTS.get(type);
  if (layout === undefined) return undefined;
  const writer = new WireWriter();
  writer.bytes(reader.bytes(layout.before));
  for (let left = layout.names; left > 0; left -= 1) encodeName(writer, decodeName(reader), false);
  return formatGeneral(writer.toBuffer());
}
