import { DomainError, lineFault } from '../../model/errors.ts';

/** One line of a file, numbered from 1, without its end. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/**
 * The text of a file as lines; a byte order mark is no part of the first one.
 * @throws DomainError `invalid_object` where the bytes are no UTF-8
 */
export function requireLines(bytes: Uint8Array): Line[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_object', 'The file is not UTF-8.');
  }
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
}

/** The longest line of a file that is read as it arrives, in characters. */
const LONGEST_LINE = 1_048_576;

/**
 * The lines of a file as its bytes arrive, in batches; without a byte order mark, and without the ends of the lines.
 * @throws DomainError `invalid_object` where the bytes are no UTF-8, or a line is longer than a mebibyte
 */
export async function* linesAsTheyArrive(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly Line[], void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let rest = '';
  const asLine = (text: string): Line => {
    number += 1;
    return { number, text: text.replace(/\r$/, '') };
  };
  for await (const part of bytes) {
    const [first = '', ...others] = decoded(decoder, part).split('\n');
    rest += first;
    requireLength(rest, number + 1);
    if (others.length === 0) continue;
    const lines = [rest, ...others.slice(0, -1)].map(asLine);
    rest = others.at(-1)!;
    yield lines;
  }
  const last = rest + decoded(decoder);
  if (last !== '') yield [asLine(last)];
}

function decoded(decoder: InstanceType<typeof TextDecoder>, part?: Uint8Array): string {
  try {
    return part === undefined ? decoder.decode() : decoder.decode(part, { stream: true });
  } catch {
    throw new DomainError('invalid_object', 'The file is not UTF-8.');
  }
}

function requireLength({ length }: string, line: number): void {
  if (length > LONGEST_LINE) throw lineFault(line, `A line has at most ${LONGEST_LINE} characters.`);
}

/**
 * The rule on a line of the public suffix list (https://publicsuffix.org/list/): up to the first white space; undefined
 * for a comment, which may also begin with `#` as in other files of names.
 */
export function suffixRuleOf({ text }: Line): string | undefined {
  const [rule = ''] = text.trim().split(/\s/, 1);
  return rule === '' || rule.startsWith('//') || rule.startsWith('#') ? undefined : rule;
}
