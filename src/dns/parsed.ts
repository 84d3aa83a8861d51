/** What a text comes to when it is read: the value that it stands for, or why it stands for none. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: string };
