/** One setting of an INI file, with the line on which it stands. */
export interface Setting {
  readonly section: string;
  readonly option: string;
  readonly value: string;
  readonly line: number;
}

/** A text that is no INI file, with the line. */
export class IniError extends Error {}

const SECTION = /^\[([^\]]+)\]$/;
const ASSIGNMENT = /^([A-Za-z0-9_]+)\s*[=:]\s*(.*)$/;

/**
 * Reads an INI file as oslo.config writes it: `[section]`, `option = value`, comments on lines of their own that begin
 * with `#` or `;`. Nothing is taken out of a value, so that a `#` in a connection string stays.
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
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = SECTION.exec(line);
    const [, option, value] = ASSIGNMENT.exec(line) ?? [];
    if (header?.[1] !== undefined) section = header[1].trim();
    else if (option !== undefined && value !== undefined) {
      settings.push({ section, option, value: value.trim(), line: index + 1 });
    } else {
      throw new IniError(
        `line ${index + 1}: write "[section]", "option = value" or a comment that begins with "#".`,
      );
    }
  }
  return settings;
}
