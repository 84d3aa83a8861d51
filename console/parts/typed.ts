/** What people type, as the API takes it. */

/** A name: people leave the final dot out. */
export function absolute(text: string): string {
  const name = text.trim();
  return name === '' || name.endsWith('.') ? name : `${name}.`;
}

/** A number; a text that is none goes as it is, so that the service says what is wrong with it. */
export function numberIn(text: string): number {
  return /^-?\d+$/.test(text.trim()) ? Number(text) : (text as unknown as number);
}
