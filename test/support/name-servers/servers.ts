import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../free-port.ts';
import { documented, withOwn } from './document.ts';
import { copyOfNamed, type NameServer, newPlace, type Place } from './place.ts';

/** What a server has to know of the hidden primary. */
export interface Upstream {
  /** Where the hidden primary listens on 127.0.0.1. */
  readonly port: number;
  /** Of the pool's key, in base64. */
  readonly secret: string;
}

/** Changes a configuration, as the document tells operators to. */
type Edit = (configuration: string) => string;

const asIs: Edit = (configuration) => configuration;

async function started(place: Place, start: () => Promise<NameServer>): Promise<NameServer> {
  try {
    return await start();
  } catch (error) {
    await place.clear();
    throw error;
  }
}

async function startBind({ port, secret }: Upstream, edit: Edit): Promise<NameServer> {
  const place = newPlace(await freePort());
  return started(place, () => {
    const configuration = withOwn(documented('BIND', 'named'), {
      SECRET: secret,
      '192.0.2.10 port 5354': `127.0.0.1 port ${port}`,
      'listen-on { 192.0.2.11; };': `listen-on port ${place.port} { 127.0.0.1; }; listen-on-v6 { none; }; pid-file none;`,
      '/var/cache/bind': place.dataDir,
    });
    // Several of them run here, none with the files and the control channel of the machine.
    const file = place.write('named.conf', `${edit(configuration)}\ncontrols { };\n`);
    return place.start([copyOfNamed(dirname(file)), '-g', '-X', 'none', '-n', '2', '-c', file]);
  });
}

async function startKnot({ port, secret }: Upstream, edit: Edit): Promise<NameServer> {
  const place = newPlace(await freePort());
  return started(place, async () => {
    const configuration = withOwn(documented('Knot', 'knot'), {
      'secret: SECRET': `secret: ${secret}`,
      '192.0.2.10@5354': `127.0.0.1@${port}`,
      'address: 192.0.2.10': 'address: 127.0.0.1',
      '192.0.2.12@53': `127.0.0.1@${place.port}`,
      '    user: knot:knot\n': '',
      'target: syslog': 'target: stderr',
      '/run/knot': join(place.dataDir, 'run'),
      '/var/lib/knot': join(place.dataDir, 'lib'),
    });
    mkdirSync(join(place.dataDir, 'run'));
    const folders = withOwn(documented('Knot', 'sh'), {
      '-o knot -g knot ': '',
      '/var/lib/knot': join(place.dataDir, 'lib'),
    });
    await place.run(folders);
    return place.start(['knotd', '-c', place.write('knot.conf', edit(configuration))]);
  });
}

async function startPowerDns({ port, secret }: Upstream, edit: Edit): Promise<NameServer> {
  const place = newPlace(await freePort());
  return started(place, async () => {
    const configuration = withOwn(documented('PowerDNS', 'pdns'), {
      '/var/lib/powerdns': place.dataDir,
      'local-address=192.0.2.13': 'local-address=127.0.0.1',
      'local-port=53': `local-port=${place.port}`,
    });
    const file = place.write('pdns.conf', edit(configuration));
    const commands = withOwn(documented('PowerDNS', 'sh'), {
      'chown -R pdns:pdns /var/lib/powerdns': '',
      '/var/lib/powerdns': place.dataDir,
      '192.0.2.10:5354': `127.0.0.1:${port}`,
      'pdnsutil ': `pdnsutil --config-dir=${dirname(file)} `,
    });
    await place.run(commands, { SECRET: secret });
    return place.start([
      'pdns_server',
      `--config-dir=${dirname(file)}`,
      `--socket-dir=${place.dataDir}`,
      ...['--guardian=no', '--daemon=no', '--disable-syslog', '--log-timestamp=no'],
    ]);
  });
}

const STARTS = { BIND: startBind, Knot: startKnot, PowerDNS: startPowerDns };

/** The name servers of the document. */
export type Brand = keyof typeof STARTS;
export const BRANDS = Object.keys(STARTS) as readonly Brand[];

/** Starts a server on a free port of 127.0.0.1, with the configuration that the document shows for it. */
export function startNameServer(brand: Brand, upstream: Upstream, edit = asIs): Promise<NameServer> {
  return STARTS[brand](upstream, edit);
}
