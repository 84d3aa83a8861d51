/** A fault in presentation text: a sentence that also says how to fix it. Never leaves this layer. */
export class RdataError extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'RdataError';
  }
}

const SHOWN_CHARACTERS = 60;

/** The text for use in a message: shortened, visible ASCII only, in quotation marks. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  const visible = cut.replace(/[^\x20-\x7e…]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `'${visible}'`;
}
