/** The reason at the end of a chain of causes. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? reasonOf(cause) : message;
}

/** The store cannot be opened. The message is one line that says which one and what to do. */
export class StorageOpenError extends Error {
  override readonly name = 'StorageOpenError';
}
