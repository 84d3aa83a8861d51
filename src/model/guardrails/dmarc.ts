/** The syntax of DMARC records: RFC 7489, section 6.4. */
import { shown } from '../../dns/rdata/rdata-error.ts';

const TAG = /^([A-Za-z][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)$/;
const VERSION = /^v[ \t]*=[ \t]*DMARC1$/;
const POLICY = /^(?:none|quarantine|reject)$/i;
const ALIGNMENT = /^[rs]$/i;
const URI = /^[a-z][a-z0-9+.-]*:[^\s!,;]+(?:![0-9]+[kmgt]?)?$/i;

const areUris = (value: string): boolean => value.split(',').every((uri) => URI.test(uri.trim()));

/** Whether the value of a known tag is valid. Unknown tags are ignored (section 6.3). */
const VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  p: (value) => POLICY.test(value),
  sp: (value) => POLICY.test(value),
  adkim: (value) => ALIGNMENT.test(value),
  aspf: (value) => ALIGNMENT.test(value),
  pct: (value) => /^[0-9]{1,3}$/.test(value) && Number(value) <= 100,
  ri: (value) => /^[0-9]+$/.test(value),
  fo: (value) => /^[01ds](?:[ \t]*:[ \t]*[01ds])*$/i.test(value),
  rf: (value) => /^[a-z][a-z0-9-]*(?:[ \t]*:[ \t]*[a-z][a-z0-9-]*)*$/i.test(value),
  rua: areUris,
  ruf: areUris,
};

function tagFault(tag: string, seen: Set<string>): string | undefined {
  const [, name, value = ''] = TAG.exec(tag) ?? [];
  if (name === undefined) return `${shown(tag)} is not a tag such as "p=none"`;
  if (seen.has(name)) return `the tag ${shown(name)} occurs more than once`;
  seen.add(name);
  const isValid = Object.hasOwn(VALUES, name) ? VALUES[name]!(value) : true;
  return isValid ? undefined : `the value of the tag ${shown(name)} is not valid`;
}

/** Why a text is not a valid DMARC record, or undefined. */
export function dmarcFault(text: string): string | undefined {
  const [version = '', ...tags] = text.split(';').map((tag) => tag.trim());
  if (!VERSION.test(version)) return 'it must begin with "v=DMARC1;"';
  // The last tag may end with a semicolon.
  if (tags.at(-1) === '') tags.pop();
  const seen = new Set(['v']);
  for (const tag of tags) {
    const fault = tagFault(tag, seen);
    if (fault !== undefined) return fault;
  }
  return seen.has('p') ? undefined : 'the tag "p" is missing';
}
