/** An unusable policy. The message names the file and the rule; the service does not start. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';

  constructor(where: string, what: string) {
    super(`${where}: ${what}`);
  }
}

/** Quotes the operator's text for a message: shortened, and without control characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text).replace(/[\u007f-\u009f]/g, '?');
}
