/** One setting of an INI file, with its line number. */
export interface Setting {
  readonly section: string;
  readonly option: string;
  readonly value: string;
  readonly line: number;
}

/** The text is not an INI file. The message gives the line. */
export class IniError extends Error {}

const SECTION = /^\[([^\]]+)\]$/;
const ASSIGNMENT = /^([A-Za-z0-9_]+)\s*[=:]\s*(.*)$/;

function isBlank(line: string): boolean {
  return line === '' || line.startsWith('#') || line.startsWith(';');
}

/**
 * Reads an INI file in oslo.config's format: `[section]`, `option = value`, and comments on separate lines that begin
 * with `#` or `;`. Values are taken as written, so a `#` in a connection string is kept.
 * @throws IniError naming the line
 */
export function parseIni(text: string): Setting[] {
  const settings: Setting[] = [];
  let section = 'DEFAULT';
  for (const [index, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (isBlank(line)) continue;
    const header = SECTION.exec(line);
    if (header !== null) section = header[1]!.trim();
    else settings.push(parseAssignment(line, section, index + 1));
  }
  return settings;
}

function parseAssignment(text: string, section: string, line: number): Setting {
  const [, option, value] = ASSIGNMENT.exec(text) ?? [];
  if (option !== undefined && value !== undefined) return { section, option, value: value.trim(), line };
  throw new IniError(
    `line ${line}: must be "[section]", "option = value" or a comment that starts with "#".`,
  );
}
