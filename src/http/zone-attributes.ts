import { dictionary, text } from '../domain/shapes/shape.ts';
import { textFault } from '../domain/text.ts';

const attribute = text((value) => textFault(value, { max: 255 }), { maxLength: 255 });

function attributesFault(keys: readonly string[]): string | undefined {
  if (keys.length > 64) return 'Use at most 64 attributes.';
  return keys.map((key) => textFault(key, { min: 1, max: 255 })).find((fault) => fault !== undefined);
}

/** The attributes of a new zone, which choose its pool. */
export const zoneAttributes = dictionary(attribute, attributesFault);
