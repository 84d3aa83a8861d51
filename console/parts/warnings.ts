const QUOTED = /"((?:[^"\\]|\\.)*)"/g;

/** The sentences in a Warning header (RFC 7234, section 5.5). */
export function sentencesIn(warning: string): string {
  const texts = [...warning.matchAll(QUOTED)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
  return texts.map((text) => (text.endsWith('.') ? text : `${text}.`)).join(' ');
}
