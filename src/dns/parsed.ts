/** The result of parsing a text: its value, or why it is invalid. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };
