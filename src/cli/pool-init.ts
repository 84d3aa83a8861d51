import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import type { CommandSession } from '../assembly/session.ts';
import { address } from '../config/kinds.ts';
import type { Config } from '../config/options.ts';
import { readPoolFile } from '../domain/pools/pool-file.ts';
import { DEFAULT_POOL_ID, formatAddress, PLACEHOLDER_NS, type ServerAddress } from '../model/pools/pool.ts';
import type { Commands } from './commands.ts';
import { CommandError, EXIT, type ExitStatus } from './errors.ts';
import { bindFiles } from './name-servers/bind.ts';
import { knotFiles } from './name-servers/knot.ts';
import { powerDnsFiles } from './name-servers/powerdns.ts';
import type { ServerFiles, ServerSetting } from './name-servers/setting.ts';

const KEY = 'pool-key';
const CATALOG = 'catalog.invalid';
const POOL_FILE = 'pool.yaml';
const USUAL_PRIMARY: ServerAddress = { host: '127.0.0.1', port: 5354 };
const BRANDS = { bind: bindFiles, knot: knotFiles, powerdns: powerDnsFiles };
const SECRET_BYTES = 32;

interface InitFlags {
  readonly bind?: string;
  readonly knot?: string;
  readonly powerdns?: string;
  readonly ns: readonly string[];
  readonly listen: string;
}

/** The chosen brand of server: its files, and their folder. */
function chosen(flags: InitFlags): { folder: string; filesOf: (setting: ServerSetting) => ServerFiles } {
  const given = (['bind', 'knot', 'powerdns'] as const).filter((brand) => flags[brand] !== undefined);
  const [brand] = given;
  if (brand === undefined || given.length > 1) {
    throw new CommandError('Use exactly one of --bind DIR, --knot DIR and --powerdns DIR.');
  }
  return { folder: flags[brand]!, filesOf: BRANDS[brand] };
}

function plainFolder(folder: string): string {
  const path = resolve(folder);
  if (/^[\p{L}\p{N}_./+,@-]+$/u.test(path)) return path;
  throw new CommandError(
    `The path ${path} cannot be used in a configuration file. Use only letters, digits and ._-+,@.`,
  );
}

function serverAddress(text: string): ServerAddress {
  try {
    return address.read(text);
  } catch (error) {
    throw new CommandError(`--listen ${text}: ${(error as Error).message}`);
  }
}

/**
 * The address at which a server on this machine reaches the service: for a socket on all addresses, the loopback
 * address.
 */
function primaryOf({ mdnsListen: [first = USUAL_PRIMARY] }: Config): ServerAddress {
  const { host, port } = first;
  const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  return { host: loopback[host] ?? host, port };
}

/** The file of the default pool, for `pool apply`. */
async function poolFileOf(ns: readonly string[], server: ServerAddress): Promise<string> {
  const pool = {
    id: DEFAULT_POOL_ID,
    name: 'default',
    ns_records: ns.map((hostname, place) => ({ hostname, priority: place + 1 })),
    nameservers: [{ host: server.host, port: server.port }],
    catalog_zone: { fqdn: `${CATALOG}.`, refresh: 60 },
    tsig_key: KEY,
  };
  // Refuses invalid names before anything is written.
  readPoolFile([pool]);
  const { stringify } = await import('yaml');
  return stringify([pool]);
}

function requirePlain({ ns }: InitFlags): void {
  if (ns.includes(PLACEHOLDER_NS)) {
    throw new CommandError(`No resolver can follow ${PLACEHOLDER_NS}: name one of your own servers.`);
  }
}

/** The TSIG key of the pool, created if it does not exist. */
async function keyOf({ context, useCases: { tsigKeys } }: CommandSession): Promise<ServerSetting['key']> {
  const query = { filters: { name: KEY }, sortKey: 'name', sortDir: 'asc', limit: 1 } as const;
  const [present] = (await tsigKeys.list(context, query)).items;
  if (present === undefined) {
    const secret = randomBytes(SECRET_BYTES).toString('base64');
    const draft = { name: KEY, algorithm: 'hmac-sha256', secret } as const;
    return tsigKeys.create(context, { ...draft, scope: 'POOL', resourceId: DEFAULT_POOL_ID });
  }
  if (present.scope === 'POOL' && present.resourceId === DEFAULT_POOL_ID) return present;
  throw new CommandError(`The TSIG key ${KEY} does not belong to the default pool. Rename it first.`);
}

async function requireNoServers({ context, useCases: { poolFiles } }: CommandSession): Promise<void> {
  const pools = (await poolFiles.show(context)) as readonly { id?: string; nameservers?: unknown }[];
  if (pools.some(({ id, nameservers }) => id === DEFAULT_POOL_ID && nameservers !== undefined)) {
    throw new CommandError(
      'The default pool already has name servers. docs/name-servers.md shows how to add another one.',
    );
  }
}

function requireFree(folder: string, names: readonly string[]): void {
  const taken = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (taken !== undefined) throw new CommandError(`${taken} already exists. Nothing was written.`);
}

/** A word for a POSIX shell. */
const quoted = (word: string): string =>
  /^[\w./+,@:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** How this program was invoked, with its configuration file. */
function invocation(program: Commands['program']): string {
  const script = process.argv[1] ?? 'zonewarden';
  const name = basename(script).endsWith('.js') ? `node ${quoted(relative('', script))}` : 'zonewarden';
  const { config } = program.opts<{ config?: string }>();
  return config === undefined ? name : `${name} --config ${quoted(config)}`;
}

async function init(
  session: CommandSession,
  config: Config,
  flags: InitFlags,
  { program, output: { out } }: Commands,
): Promise<ExitStatus> {
  const { folder, filesOf } = chosen(flags);
  requirePlain(flags);
  const directory = plainFolder(folder);
  const listen = serverAddress(flags.listen);
  const primary = primaryOf(config);
  const setting = { listen, primary, catalog: CATALOG, directory, isInFolder: true };
  const pool = await poolFileOf(flags.ns, listen);
  const names = Object.keys(filesOf({ ...setting, key: { name: KEY, algorithm: '', secret: '' } }).files);
  requireFree(directory, [...names, POOL_FILE]);
  await requireNoServers(session);
  const { files, folders, command } = filesOf({ ...setting, key: await keyOf(session) });
  for (const path of [directory, ...folders.map((name) => join(directory, name))]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }
  for (const [name, text] of Object.entries({ ...files, [POOL_FILE]: pool })) {
    writeFileSync(join(directory, name), text, { flag: 'wx', mode: 0o600 });
  }
  if (config.mdnsListen.length === 0) {
    out(`# The service must run with ZONEWARDEN_SERVICE_MDNS__LISTEN=${formatAddress(primary)}.`);
  }
  out(command(folder));
  out(`${invocation(program)} pool apply ${join(folder, POOL_FILE)} --yes`);
  return EXIT.done;
}

/** `pool init`. */
export function addPoolInit(pool: ReturnType<Commands['program']['command']>, commands: Commands): void {
  pool
    .command('init')
    .description(
      'set up a name server on this machine: write its configuration with a TSIG key and the pool file, and print the commands that start the server and apply the file',
    )
    .option('--bind <dir>', 'set up BIND in this folder')
    .option('--knot <dir>', 'set up Knot DNS in this folder')
    .option('--powerdns <dir>', 'set up PowerDNS in this folder')
    .requiredOption(
      '--ns <name>',
      'a name server for the NS records of every zone; may be repeated',
      (name, all) => [...(Array.isArray(all) ? all : []), name],
    )
    .option('--listen <address>', 'the address that the name server listens on', '127.0.0.1:5300')
    .action((flags: InitFlags) =>
      commands.runOnStore((session, config) => init(session, config, flags, commands)),
    );
}
