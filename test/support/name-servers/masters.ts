/** Name servers that have zones of their own, as the document on secondary zones sets them up. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../process.ts';
import { documented, withOwn } from './document.ts';
import { copyOfNamed, type NameServer, newPlace, type Place } from './place.ts';

const PAGE = 'docs/secondaries.md';
/** The zone of the document. */
export const ZONE = 'shop.example.org.';
const FILE = 'shop.example.org';

/** What a master has to know. */
export interface Downstream {
  /** Where the master is to listen on 127.0.0.1. */
  readonly port: number;
  /** Where the service takes NOTIFY on 127.0.0.1. */
  readonly noticePort: number;
  /** Of the zone's key, in base64; undefined: it transfers without one. */
  readonly secret: string | undefined;
}

export interface Master extends NameServer {
  /** Changes the zone: lines of nsupdate. */
  update(...lines: readonly string[]): Promise<void>;
  /** How many transfers of a kind it has served to their end. */
  served(kind: 'AXFR' | 'IXFR'): number;
}

/** The secret with which the tests change zones. */
const UPDATES = 'aGFybWxlc3M=';

const zoneFile = (records: string): string => `$TTL 300
@ SOA ns1.example.net. host.example.org. 5 3600 600 86400 300
@ NS ns1.example.net.
${records}`;

function updates(server: NameServer): Master['update'] {
  return async (...lines) => {
    const script = [
      `server ${server.host} ${server.port}`,
      `zone ${ZONE}`,
      `key hmac-sha256:updates ${UPDATES}`,
    ];
    const input = `${[...script, ...lines, 'send'].join('\n')}\n`;
    const { status, err } = await run(['nsupdate'], { input });
    if (status !== 0) throw new Error(`The zone was not changed: ${err}`);
  };
}

function counted(server: NameServer, ends: Readonly<Record<'AXFR' | 'IXFR', RegExp>>): Master {
  return Object.assign(Object.create(server), {
    update: updates(server),
    served: (kind: 'AXFR' | 'IXFR') => [...server.log.matchAll(ends[kind])].length,
  });
}

async function started(place: Place, start: () => Promise<NameServer>): Promise<NameServer> {
  try {
    return await start();
  } catch (error) {
    await place.clear();
    throw error;
  }
}

async function startBind({ port, noticePort, secret }: Downstream, records: string): Promise<Master> {
  const place = newPlace(port);
  writeFileSync(join(place.dataDir, FILE), zoneFile(records));
  const zone = withOwn(documented('BIND as a master', 'named', 0, PAGE), {
    SECRET: secret ?? UPDATES,
    '192.0.2.10 port 5354': `127.0.0.1 port ${noticePort}`,
    '/var/lib/bind': place.dataDir,
    // Updates are for the tests; BIND writes the differences of these by itself.
    '  ixfr-from-differences yes;\n': '  allow-update { key "updates"; };\n',
    ...(secret === undefined && { '{ key "shop-key"; }': '{ any; }', ' key "shop-key"; };': '; };' }),
  });
  const configuration = `options {
  directory "${place.dataDir}"; pid-file none; notify-delay 0; recursion no;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
};
controls { };
key "updates" { algorithm hmac-sha256; secret "${UPDATES}"; };
${zone}`;
  const file = place.write('named.conf', configuration);
  const command = [copyOfNamed(dirname(file)), '-g', '-X', 'none', '-n', '2', '-c', file];
  const server = await started(place, () => place.start(command));
  return counted(server, { AXFR: /AXFR ended/g, IXFR: /(?<!\(AXFR-style )IXFR ended/g });
}

async function startKnot({ port, noticePort, secret }: Downstream, records: string): Promise<Master> {
  const place = newPlace(port);
  for (const folder of ['run', 'lib']) mkdirSync(join(place.dataDir, folder));
  writeFileSync(join(place.dataDir, 'lib', `${FILE}.zone`), zoneFile(records));
  const configuration = withOwn(documented('Knot as a master', 'knot', 0, PAGE), {
    'secret: SECRET\n': `secret: ${secret ?? UPDATES}\n  - id: updates\n    algorithm: hmac-sha256\n    secret: ${UPDATES}\n`,
    '192.0.2.10@5354': `127.0.0.1@${noticePort}`,
    '/var/lib/knot': join(place.dataDir, 'lib'),
    'acl:\n': 'acl:\n  - id: updates\n    key: updates\n    action: update\n\n',
    'acl: zonewarden': 'acl: [ zonewarden, updates ]',
    ...(secret === undefined && {
      '    key: shop-key\n    action: transfer': '    address: 127.0.0.1\n    action: transfer',
      [`@${noticePort}\n    key: shop-key`]: `@${noticePort}`,
    }),
  });
  const own = `server:
  rundir: ${join(place.dataDir, 'run')}
  listen: 127.0.0.1@${port}
log:
  - target: stderr
    any: info
database:
  storage: ${join(place.dataDir, 'lib')}
`;
  const file = place.write('knot.conf', `${own}\n${configuration}`);
  const server = await started(place, () => place.start(['knotd', '-c', file]));
  return counted(server, {
    AXFR: /AXFR, outgoing, .*finished/g,
    IXFR: /IXFR, outgoing, .*finished/g,
  });
}

const STARTS = { BIND: startBind, Knot: startKnot };

export type MasterBrand = keyof typeof STARTS;

/** Starts a master of the zone, with these records beside its SOA and NS. */
export function startMaster(brand: MasterBrand, downstream: Downstream, records: string): Promise<Master> {
  return STARTS[brand](downstream, records);
}
