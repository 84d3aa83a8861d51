// U+0000 and unpaired surrogates: not every database can store them.
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Why a text of any length cannot be stored, or undefined. */
export function storableFault(text: string): string | undefined {
  return isStorable(text) ? undefined : 'Remove U+0000 and unpaired surrogates.';
}

/** Why a text cannot be stored, or undefined. Lengths are in code points. */
export function textFault(text: string, limits: { min?: number; max: number }): string | undefined {
  const { min = 0, max } = limits;
  if (text.length > 2 * max) return `Use at most ${max} characters.`;
  const fault = storableFault(text);
  if (fault !== undefined) return fault;
  const length = [...text].length;
  if (length < min) return min === 1 ? 'Must not be empty.' : `Use at least ${min} characters.`;
  return length > max ? `Use at most ${max} characters.` : undefined;
}

/** Whether a text can be stored, and so compared with stored text. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}

/** Why a text is not a valid description, or undefined. */
export function descriptionFault(text: string): string | undefined {
  return textFault(text, { max: 1024 });
}
