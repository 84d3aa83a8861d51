import type { Attack } from '../attack.ts';
import { MANY } from '../site.ts';

const BYTES = 60_000_000;
const DNS = { 'content-type': 'text/dns' };
const DEFAULT = { zone_recordsets: 500, zone_records: 500, recordset_records: 20 };

const head = (zone: string) => `$ORIGIN ${zone}\n@ 3600 SOA ns1 hostmaster.example.org. 1 2 3 4 5\n`;

function filled(bytes: number, line: (at: number) => string): string {
  const lines: string[] = [];
  for (let at = 0, size = 0; size < bytes; at += 1) {
    const next = line(at);
    lines.push(next);
    size += Buffer.byteLength(next);
  }
  return lines.join('');
}

/** 12 letters beyond ASCII, different for each number. */
const wide = (at: number) =>
  Array.from({ length: 12 }, (_, place) =>
    String.fromCodePoint(0x4e00 + ((at * 31 + place * place) % 5000)),
  ).join('');

const shortLine = (at: number) => `${at.toString(36)} 1 A 1.1.1.1\n`;
const wideLine = (at: number) => `h${at} 60 NS ${wide(at)}.example.\n`;
/** About 64,000 bytes. */
const LARGE_TEXT = `"${'x'.repeat(250)}" `.repeat(252);

/** Imports the same lines again and again, as zones of other names. */
function importing(name: string, title: string, quotas: Record<string, number>, lines: () => string): Attack {
  return {
    name: `zone-file-${name}`,
    title: `a zone file of ${title}`,
    async prepare(site) {
      await site.allow('attacker', { zones: -1, ...quotas });
      const attacker = site.client('attacker');
      const body = lines();
      return async (answers, round) => {
        const file = head(`hostile-${round}.example.`) + body;
        await answers.ask(attacker, 'POST', '/v2/zones/tasks/imports', file, DNS);
      };
    },
  };
}

export const ZONE_FILE_ATTACKS: readonly Attack[] = [
  importing('blank', '60 MB of blank lines', DEFAULT, () => filled(BYTES, () => '\n'.repeat(10_000))),
  importing('blanks', 'one line of 60 MB of blanks', DEFAULT, () => filled(BYTES, () => ' '.repeat(10_000))),
  importing('wide', '1 MB of NS with names beyond ASCII', MANY, () => filled(1_000_000, wideLine)),
  importing('wide-default', 'the same, default quotas', DEFAULT, () => filled(1_000_000, wideLine)),
  importing(
    'short',
    '60 MB of short lines, the last one faulty',
    MANY,
    () => `${filled(BYTES, shortLine)})\n`,
  ),
  importing('short-default', '60 MB of short lines, default quotas', DEFAULT, () => filled(BYTES, shortLine)),
  importing('stored', '4 MB of short lines, 200,000 recordsets that are stored', MANY, () =>
    filled(4_000_000, shortLine),
  ),
  importing('texts', '32 MB of texts in 500 recordsets', DEFAULT, () =>
    filled(32_000_000, (at) => `h${at} 60 TXT ${LARGE_TEXT}\n`),
  ),
  importing('texts-stored', '8 MB of texts that are stored', DEFAULT, () =>
    filled(8_000_000, (at) => `h${at} 60 TXT ${LARGE_TEXT}\n`),
  ),
];
