/** Joiners are format characters, too, but emoji and Persian words are spelt with them. */
const JOINERS = '\\u200c\\u200d';
/**
 * Characters that a terminal may obey, that end a line somewhere, or that change the order or look of the text around
 * them: control and format characters, line separators, and halves of surrogate pairs.
 */
const UNSAFE = `(?![${JOINERS}])[\\p{Cc}\\p{Cf}\\p{Surrogate}\\u2028\\u2029]`;
const ANY_UNSAFE = new RegExp(UNSAFE, 'gu');
/** The same in YAML, whose line breaks and tabs are its own. */
const UNSAFE_IN_YAML = new RegExp(`(?![\\n\\t])${UNSAFE}`, 'u');
const ANY_UNSAFE_IN_YAML = new RegExp(UNSAFE_IN_YAML.source, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const hexadecimal = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** As JSON has it: a character beyond U+FFFF is two escapes. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return SHORT[character] ?? units.map((unit) => `\\u${hexadecimal(unit, 4)}`).join('');
}

/** A character in a double-quoted scalar: one escape each. */
function escapedInYaml(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\U${hexadecimal(code, 8)}` : `\\u${hexadecimal(code, 4)}`;
}

/** A text as it may be printed or logged: on one line, and with nothing in it that a terminal obeys or that misleads a reader. */
export function printable(text: string): string {
  return text.replace(ANY_UNSAFE, escaped);
}

/** A value as JSON, equal to it once it is read, with nothing in it that `printable` escapes. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** Whether a text can stand in YAML only in double quotes, where its characters can be escaped. */
export function needsEscapesInYaml(text: string): boolean {
  return UNSAFE_IN_YAML.test(text);
}

/** YAML with what `printable` escapes escaped. Such characters must stand in double quotes. */
export function printableYaml(yaml: string): string {
  return yaml.replace(ANY_UNSAFE_IN_YAML, escapedInYaml);
}
