import { dictionary, text } from '../../domain/shapes/shape.ts';
import { attributesFault } from '../../domain/zones/attributes.ts';
import { textFault } from '../../model/text.ts';

const attribute = text((value) => textFault(value, { max: 255 }), { maxLength: 255 });

/** Attributes of a new zone. They select its pool. */
export const zoneAttributes = dictionary(attribute, attributesFault);
