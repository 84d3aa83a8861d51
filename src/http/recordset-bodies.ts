/** The members of bodies about recordsets. */
import { parseOwnerName } from '../dns/owner-name.ts';
import { parseRecordType, RECORD_TYPES } from '../dns/record-types.ts';
import { integer, list, nullable, parsed, text } from '../domain/shapes/shape.ts';
import { time } from '../domain/shapes/time.ts';
import { descriptionFault, storableFault } from '../model/text.ts';

export const NAME_EXAMPLE = 'www.example.org.';
export const TYPE_PATTERN = `^(${RECORD_TYPES.join('|')}|TYPE[0-9]{1,5})$`;

export const name = parsed(parseOwnerName, {
  description:
    'A name with a final dot; the leftmost label may be *. Labels hold letters, digits, -, _, / and +, and other octets as escapes such as \\032; owners of A, AAAA and MX hold only letters, digits, - and _. U-labels are converted to A-labels.',
  examples: [NAME_EXAMPLE],
});
export const type = parsed(parseRecordType, {
  pattern: TYPE_PATTERN,
  description:
    'A record type, or TYPE and its number with records in the general form of RFC 3597, such as TYPE65280 with \\# 2 0a0b. TYPE257 is CAA.',
  examples: ['A'],
});
export const records = list(
  text(storableFault, { description: 'Rdata of the type.', examples: ['192.0.2.1'] }),
);
export const ttl = nullable(integer({ minimum: 0, maximum: 2147483647 }));
export const expires_at = time;
export const description = nullable(text(descriptionFault, { maxLength: 1024 }));
