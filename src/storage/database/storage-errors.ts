/** A backup or a copy of a whole store failed. The message is one line that says what to do. */
export class StorageTaskError extends Error {
  override readonly name = 'StorageTaskError';
}

/** The message of the innermost cause. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each address, under an empty message.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { cause, message } = error as Error;
  return cause instanceof Error ? reasonOf(cause) : message;
}

/** The store cannot be opened. The message is one line that names the store and says what to do. */
export class StorageOpenError extends Error {
  override readonly name = 'StorageOpenError';
}
