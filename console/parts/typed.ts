/** Converts typed text to what the API accepts. */

/** A name; adds a missing final dot. */
export function absolute(text: string): string {
  const name = text.trim();
  return name === '' || name.endsWith('.') ? name : `${name}.`;
}

/** Parses a number; other text is sent unchanged, so that the service explains the error. */
export function numberIn(text: string): number {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number);
}
