/** URI templates: RFC 6570 section 2. */

const ENCODED = '%[0-9A-Fa-f]{2}';
const CHARACTER = `(?:[A-Za-z0-9_]|${ENCODED})`;
const VARIABLE = `${CHARACTER}(?:\\.?${CHARACTER})*(?::[1-9][0-9]{0,3}|\\*)?`;
const EXPRESSION = `\\{[+#./;?&]?${VARIABLE}(?:,${VARIABLE})*\\}`;
const PATH = new RegExp(`^/(?:[^%{}]|${ENCODED}|${EXPRESSION})*$`);
const EXPRESSIONS = /\{[+#./;?&]?([^{}]*)\}/g;
const MODIFIER = /:.*|\*/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: readonly number[]): boolean {
  try {
    UTF8.decode(Uint8Array.from(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Whether the bytes are a template in UTF-8 that starts with a slash, and one of its expressions has the variable. */
export function isPathTemplate(bytes: readonly number[], variable: string): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  if (!PATH.test(text) || !isUtf8(bytes)) return false;
  return [...text.matchAll(EXPRESSIONS)].some(([, list = '']) =>
    list.split(',').some((one) => one.replace(MODIFIER, '') === variable),
  );
}
