import { lineFault } from '../../model/errors.ts';
import { parseListedTld } from '../../model/tlds/tld.ts';
import { type FileLine, requireLines, suffixRuleOf } from '../files/file-lines.ts';

/**
 * `names`: as in IANA's list (https://data.iana.org/TLD/tlds-alpha-by-domain.txt). `psl`: rules of the public suffix
 * list.
 */
export type TldFileFormat = 'names' | 'psl';

export interface TldFile {
  readonly bytes: Uint8Array;
  readonly format: TldFileFormat;
}

interface TldNames {
  readonly names: readonly string[];
  /** Number of exception lines (`!`). Their names lie below a listed TLD, so they add none. */
  readonly leftOut: number;
}

function requireName({ number }: FileLine, text: string): string {
  const parsed = parseListedTld(text);
  if (!parsed.ok) throw lineFault(number, parsed.reason);
  return parsed.value;
}

function listedNames(lines: readonly FileLine[]): TldNames {
  const names = lines.flatMap((line) => {
    const text = line.text.trim();
    return text === '' || text.startsWith('#') ? [] : [requireName(line, text)];
  });
  return { names, leftOut: 0 };
}

/** The TLD for a rule. A wildcard matches each name below its parent: the parent as a TLD allows zones there. */
function requireSuffix(line: FileLine, rule: string): string {
  const name = rule.startsWith('*.') ? rule.slice(2) : rule;
  if (name.includes('*'))
    throw lineFault(line.number, 'A wildcard must be the whole first label: "*.example".');
  return requireName(line, name);
}

function suffixNames(lines: readonly FileLine[]): TldNames {
  const names: string[] = [];
  let leftOut = 0;
  for (const line of lines) {
    const rule = suffixRuleOf(line);
    if (rule === undefined) continue;
    if (rule.startsWith('!')) leftOut++;
    else names.push(requireSuffix(line, rule));
  }
  return { names, leftOut };
}

/**
 * Reads a file of TLDs.
 * @throws DomainError `invalid_object` for the first invalid line
 */
export function requireTldFile({ bytes, format }: TldFile): TldNames {
  const lines = requireLines(bytes);
  return format === 'psl' ? suffixNames(lines) : listedNames(lines);
}
