/** A backup or a copy of a whole store failed. The message is one line that says what to do. */
export class StorageTaskError extends Error {
  override readonly name = 'StorageTaskError';
}
