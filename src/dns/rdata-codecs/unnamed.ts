/**
 * Types without their own form. The rdata of some may contain compressed names (RFC 3597 section 4). A pointer means
 * nothing outside its message, so these names are expanded.
 */
import { decodeName, encodeName } from '../encoding/names.ts';
import type { WireReader } from '../encoding/reader.ts';
import { WireWriter } from '../encoding/writer.ts';
import { formatGeneral } from './general.ts';

/** The number of octets before the first name, and the number of names. */
interface Layout {
  readonly before: number;
  readonly names: number;
}

/** MD, MF, MB, MG, MR, MINFO of RFC 1035; RT of RFC 1183; PX of RFC 2163. */
const LAYOUTS: ReadonlyMap<number, Layout> = new Map([
  [3, { before: 0, names: 1 }],
  [4, { before: 0, names: 1 }],
  [7, { before: 0, names: 1 }],
  [8, { before: 0, names: 1 }],
  [9, { before: 0, names: 1 }],
  [14, { before: 0, names: 2 }],
  [21, { before: 2, names: 1 }],
  [26, { before: 2, names: 2 }],
]);

/** The rdata of such a type in the general form. @throws FormError */
export function decodeUnnamed(reader: WireReader, type: number): string {
  const layout = LAYOUTS.get(type);
  if (layout === undefined || reader.remaining === 0) return formatGeneral(reader.rest());
  const writer = new WireWriter();
  writer.bytes(reader.bytes(layout.before));
  for (let left = layout.names; left > 0; left -= 1) encodeName(writer, decodeName(reader), false);
  return formatGeneral(writer.toBuffer());
}
