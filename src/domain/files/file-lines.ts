import { DomainError, lineFault } from '../../model/errors.ts';

/** A line of a file, numbered from 1, without its line ending. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
}

/**
 * Splits a file into lines, without a byte order mark.
 * @throws DomainError `invalid_object` if the bytes are not UTF-8
 */
export function requireLines(bytes: Uint8Array): FileLine[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('invalid_object', 'The file is not UTF-8.');
  }
  return text.split('\n').map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }));
}

/** Maximum length of a line in a streamed file, in characters. */
const LONGEST_LINE = 1_048_576;

/**
 * Streams the lines of a file in batches, without a byte order mark and line endings.
 * @throws DomainError `invalid_object` if the bytes are not UTF-8, or a line is longer than 1,048,576 characters
 */
export async function* linesAsTheyArrive(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly FileLine[], void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let number = 0;
  let rest = '';
  const asLine = (text: string): FileLine => {
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
 * The rule on a line of the public suffix list (https://publicsuffix.org/list/): the text up to the first white space;
 * undefined for a comment. As in other name lists, comments may also begin with `#`.
 */
export function suffixRuleOf({ text }: FileLine): string | undefined {
  const [rule = ''] = text.trim().split(/\s/, 1);
  return rule === '' || rule.startsWith('//') || rule.startsWith('#') ? undefined : rule;
}
