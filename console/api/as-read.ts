/** Optimistic updates: a change never overwrites what someone else saved since it was read. */
import type { ApiResponse } from './client.ts';
import { Problem } from './problem.ts';

/** Publication changes an ETag only a few times, so a few attempts suffice. */
const ATTEMPTS = 5;

/** True if a change was rejected because the resource changed since it was read. */
export function isOverwriting(error: unknown): boolean {
  return error instanceof Problem && error.type === 'precondition_failed';
}

/** The user-edited fields of a resource as comparable text, without those that publication changes. */
export function contentsOf<T extends object>(thing: T, fields: readonly (keyof T)[]): string {
  return JSON.stringify(fields.map((field) => thing[field] ?? null));
}

/**
 * Changes or deletes a resource if its fields still have the values that were read. Retries if only publication changed
 * the ETag.
 * @throws Problem `precondition_failed` if someone changed one of the fields
 */
export async function asRead<T extends object, R>(
  read: ApiResponse<T>,
  fields: readonly (keyof T)[],
  readAgain: () => Promise<ApiResponse<T>>,
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
