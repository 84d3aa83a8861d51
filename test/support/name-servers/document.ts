import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The page whose blocks most tests run. */
const PAGE = 'docs/name-servers.md';

/** The code block of a section in some language, as it stands in the document. */
export function documented(section: string, language: string, which = 0, page = PAGE): string {
  const text = readFileSync(resolve(page), 'utf8')
    .split(/^## /m)
    .find((one) => one.startsWith(`${section}\n`));
  const blocks = [...(text ?? '').matchAll(/^```(\S+)\n(.*?)^```$/gms)].filter(([, of]) => of === language);
  const block = blocks[which]?.[2];
  if (block === undefined)
    throw new Error(`${page}, "${section}": block ${which} in ${language} is missing.`);
  return block;
}

/**
 * A text with other words in the place of some of its own.
 * @throws when one of them does not stand in it: a test would start something else than what the document shows
 */
export function withOwn(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((changed, [from, to]) => {
    if (!changed.includes(from))
      throw new Error(`The document does not say ${JSON.stringify(from)} any more.`);
    return changed.replaceAll(from, to);
  }, text);
}
