/** Bodies that create and change zones. */
import { canonicalFilter } from '../../dns/names.ts';
import {
  choice,
  distinct,
  emptyList,
  integer,
  isObject,
  nullable,
  object,
  parsed,
  refined,
  type Shape,
  text,
} from '../../domain/shapes/shape.ts';
import { formatMaster, MAX_MASTERS, parseMaster } from '../../model/secondaries/master-address.ts';
import { descriptionFault } from '../../model/text.ts';
import { emailFault } from '../../model/zones/email.ts';
import { TIMER_BOUNDS } from '../../model/zones/soa-timers.ts';
import type { RequestedZone } from '../../model/zones/zone.ts';
import { jsonBody } from '../edge/body.ts';
import { patchBody } from '../edge/patch-body.ts';
import { PROTECTION_KEYS, withProtection } from './protection.ts';
import { zoneAttributes } from './zone-attributes.ts';
import { NAME_EXAMPLE, zoneName } from './zone-name.ts';

const EMAIL = 'hostmaster@example.org';
const OF_THE_MASTER = "A secondary zone takes this from its master's SOA. Omit it.";

const email = text(emailFault, { maxLength: 255, description: 'An email address.', examples: [EMAIL] });
const ttl = integer({ minimum: 0, maximum: 2147483647 });
const description = nullable(text(descriptionFault, { maxLength: 1024 }));

const type = choice(
  ['PRIMARY', 'SECONDARY'],
  'Must be "PRIMARY" or "SECONDARY". Omit it for a primary zone.',
);
const master = parsed(parseMaster, {
  description: 'Address of a name server: `host[:port]`.',
  examples: ['192.0.2.53:53'],
});
const masters = distinct(master, formatMaster, { maxItems: MAX_MASTERS });
const someMasters = distinct(master, formatMaster, { minItems: 1, maxItems: MAX_MASTERS });

const primaryZone = object(
  { name: zoneName, email },
  {
    ttl,
    description,
    ...PROTECTION_KEYS,
    type,
    masters: emptyList('A primary zone has no masters.'),
    attributes: zoneAttributes,
  },
);
const secondaryZone = object(
  { name: zoneName, masters: someMasters },
  {
    description,
    ...PROTECTION_KEYS,
    type,
    attributes: zoneAttributes,
    email: refusing(email, OF_THE_MASTER),
    ttl: refusing(ttl, OF_THE_MASTER),
  },
);

/** A zone of either type, which determines its required and forbidden keys. */
const zone: Shape<RequestedZone> = {
  schema: {
    ...object(
      { name: zoneName },
      { email, ttl, description, ...PROTECTION_KEYS, type, masters, attributes: zoneAttributes },
    ).schema,
    examples: [{ name: NAME_EXAMPLE, email: EMAIL, ttl: 3600 }],
  },
  read(given, faults) {
    if (isObject(given) && given.type === 'SECONDARY') {
      const secondary = secondaryZone.read(given, faults);
      return secondary && withProtection(secondary);
    }
    const draft = primaryZone.read(given, faults);
    return draft && { ...withProtection(draft), masters: undefined };
  },
};

export const zoneCreateBody = jsonBody(zone);
const soa = nullable(
  object(
    {},
    {
      refresh: integer(TIMER_BOUNDS.refresh),
      retry: integer(TIMER_BOUNDS.retry),
      expire: integer(TIMER_BOUNDS.expire),
      minimum: integer(TIMER_BOUNDS.minimum),
    },
  ),
);
export const zoneUpdateBody = patchBody(
  refined(object({}, { email, ttl, soa, description, ...PROTECTION_KEYS, masters }), withProtection),
  { name: canonicalFilter },
);

/** A key that must not be given. */
function refusing<T extends number | string>({ schema }: Shape<T>, reason: string): Shape<T> {
  return { schema, read: (_, faults) => faults.add(reason) };
}
