/** What was asked of a whole store, a backup or a copy, cannot be done. The message is one line that says what to do. */
export class StorageTaskError extends Error {
  override readonly name = 'StorageTaskError';
}
