/** Joiners are format characters, too, but emoji and Persian words need them. */
const JOINERS = '\\u200c\\u200d';
/**
 * Characters that a terminal may interpret, that end a line, or that change the order or look of the surrounding
 * text: control and format characters, line separators, and lone surrogates.
 */
const UNSAFE = `(?![${JOINERS}])[\\p{Cc}\\p{Cf}\\p{Surrogate}\\u2028\\u2029]`;
const ANY_UNSAFE = new RegExp(UNSAFE, 'gu');
/** Like UNSAFE, for YAML, where line breaks and tabs are syntax. */
const UNSAFE_IN_YAML = new RegExp(`(?![\\n\\t])${UNSAFE}`, 'u');
const ANY_UNSAFE_IN_YAML = new RegExp(UNSAFE_IN_YAML.source, 'gu');
const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const hexadecimal = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** Escapes a character as in JSON: two escapes for a character above U+FFFF. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return SHORT[character] ?? units.map((unit) => `\\u${hexadecimal(unit, 4)}`).join('');
}

/** Escapes a character for a double-quoted YAML scalar: always one escape. */
function escapedInYaml(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\U${hexadecimal(code, 8)}` : `\\u${hexadecimal(code, 4)}`;
}

/** Makes a text safe to print or log: one line, without anything a terminal interprets or that misleads a reader. */
export function printable(text: string): string {
  return text.replace(ANY_UNSAFE, escaped);
}

/** Serializes a value as JSON that `printable` would not change. Parsing it yields the same value. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** True if YAML needs double quotes for the text, because some characters must be escaped. */
export function needsEscapesInYaml(text: string): boolean {
  return UNSAFE_IN_YAML.test(text);
}

/** Escapes in YAML what `printable` escapes. Such characters must be in double quotes. */
export function printableYaml(yaml: string): string {
  return yaml.replace(ANY_UNSAFE_IN_YAML, escapedInYaml);
}
