import { parseZoneName } from '../../dns/names.ts';
import { parsed } from '../../domain/shapes/shape.ts';

export const NAME_EXAMPLE = 'example.org.';

/** A zone name in a body. */
export const zoneName = parsed(parseZoneName, {
  description: 'A name with a final dot; U-labels are converted to A-labels.',
  examples: [NAME_EXAMPLE],
});
