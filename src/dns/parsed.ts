/** The result of parsing a text: its value, or the reason why it has none. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };
