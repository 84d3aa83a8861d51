/** What is wrong in a zone file, and in which line. Never leaves this layer. */
export class ZoneFileError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
    this.name = 'ZoneFileError';
  }
}
