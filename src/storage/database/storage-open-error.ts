/** The reason at the end of a chain of causes. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each, under an empty message.
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const { cause, message } = error as Error;
  return cause instanceof Error ? reasonOf(cause) : message;
}

/** The store cannot be opened. The message is one line that says which one and what to do. */
export class StorageOpenError extends Error {
  override readonly name = 'StorageOpenError';
}
