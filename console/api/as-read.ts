/** Changes of what was read, which overwrite nothing that somebody else has done since. */
import type { Answered } from './client.ts';
import { Problem } from './problem.ts';

/** Publication changes an ETag a few times at most. */
const ATTEMPTS = 5;

/** Whether a change was refused because the thing is not any more as it was read. */
export function isOverwriting(error: unknown): boolean {
  return error instanceof Problem && error.type === 'precondition_failed';
}

/** What people have made of a thing, as a text to be compared: what publication changes is no part of it. */
export function contentsOf<T extends object>(thing: T, fields: readonly (keyof T)[]): string {
  return JSON.stringify(fields.map((field) => thing[field] ?? null));
}

/**
 * Changes or deletes a thing if it is as it was read. Where publication alone has gone on since, that is no reason to refuse.
 * @throws Problem `precondition_failed` where somebody has changed one of the fields
 */
export async function asRead<T extends object, R>(
  read: Answered<T>,
  fields: readonly (keyof T)[],
  readAgain: () => Promise<Answered<T>>,
  act: (etag: string) => Promise<R>,
  attempts = ATTEMPTS,
): Promise<R> {
  try {
    return await act(read.headers.get('etag') ?? '*');
  } catch (error) {
    if (!isOverwriting(error) || attempts === 1) throw error;
    const present = await readAgain();
    if (contentsOf(present.data, fields) !== contentsOf(read.data, fields)) throw error;
    return asRead(present, fields, readAgain, act, attempts - 1);
  }
}
