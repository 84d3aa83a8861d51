import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printable } from '../runtime/printable.ts';

/** The file of the first admin token, in the data folder. */
const TOKEN_FILE = 'admin.token';

export interface Welcome {
  /** The address at which the service listens. */
  readonly url: string;
  /** The public address of the service; empty if it is `url`. */
  readonly publicUrl: string;
  readonly hasConsole: boolean;
  readonly dataDir: string;
  /** True if a pool has name servers. */
  readonly publishes: boolean;
}

function tokenLine(dataDir: string): string {
  const file = join(dataDir, TOKEN_FILE);
  if (existsSync(file)) return `Admin token   in the file ${printable(file)}`;
  return 'Admin token   zonewarden token create --project admin --role admin';
}

/** The lines shown to a user at a terminal once the service listens. */
export function welcomeLines({ url, publicUrl, hasConsole, dataDir, publishes }: Welcome): string[] {
  const base = publicUrl || url;
  return [
    '',
    hasConsole ? `  Console       ${base}/console` : `  API           ${base}`,
    `  ${tokenLine(dataDir)}`,
    ...(publishes
      ? []
      : [
          '  Name servers  none: zones are stored, but not published yet. To publish them:',
          '                zonewarden pool init --bind DIR --ns ns1.example.net.',
        ]),
    '  To stop       press Ctrl+C',
    '',
  ];
}
