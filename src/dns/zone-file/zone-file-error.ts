/** A fault in a zone file, with its line. Never leaves this layer. */
export class ZoneFileError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
    this.name = 'ZoneFileError';
  }
}
