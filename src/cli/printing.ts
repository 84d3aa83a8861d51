/** Characters that a terminal may obey, and those that end a line somewhere. */
const OBEYED = /[\p{Cc}\p{Surrogate}\u2028\u2029]/gu;
const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text of the store as it may be printed: on one line, and with nothing in it that a terminal obeys. */
export function printable(text: string): string {
  return text.replace(OBEYED, escaped);
}

/** A value as JSON, equal to it once it is read, with nothing in it that a terminal obeys. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f]/g, escaped);
}
