/** The store cannot be opened. The message is one line that says which one and what to do. */
export class StorageOpenError extends Error {
  override readonly name = 'StorageOpenError';
}
