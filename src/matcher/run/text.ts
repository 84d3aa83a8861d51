/** A name as code points, to be searched for any number of patterns. */
export type Text = Uint32Array;

/** A part of a text, in code points; `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

export function encodeText(name: string): Text {
  const codes = new Uint32Array(name.length);
  let length = 0;
  for (let i = 0; i < name.length; i++) {
    const code = name.codePointAt(i) as number;
    codes[length++] = code;
    if (code > 0xffff) i++;
  }
  return length === codes.length ? codes : codes.subarray(0, length);
}
