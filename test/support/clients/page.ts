import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { eventually } from '../eventually.ts';
import { dig } from '../name-servers/dig.ts';
import { documented, withOwn } from '../name-servers/document.ts';
import { type Finished, PROGRAM, run, temporaryFolder } from '../process.ts';
import { storeOptions } from '../store.ts';

type Words = Readonly<Record<string, string>>;

const pageAt = (name: string): string => `docs/clients/${name}.md`;

/** A folder for the commands of pages, which know nothing of whoever runs them. */
export interface Desk {
  readonly folder: string;
  /** Runs commands of a shell to their end; the first that fails ends them. */
  sh(commands: string): Promise<Finished>;
  remove(): void;
}

/** Puts `zonewarden` where the commands find it, as it is installed beside the service. */
function installProgram(folder: string, dataDir: string): void {
  const options = Object.entries(storeOptions(dataDir)).map(([name, value]) => `${name}='${value}'`);
  const file = join(folder, 'zonewarden');
  writeFileSync(file, `#!/bin/sh\n${options.join(' ')} exec ${process.execPath} ${PROGRAM} "$@"\n`);
  chmodSync(file, 0o755);
}

/** Makes such a folder. */
export function newDesk(): Desk {
  const { path: folder, remove } = temporaryFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  installProgram(folder, inject('cloud').dataDir);
  const environment = {
    // Debian's programs run in Debian's Python.
    PATH: `${folder}:/usr/sbin:/usr/bin:/sbin:/bin`,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    NO_PROXY: '*',
    no_proxy: '*',
  };
  const words = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return {
    folder: home,
    sh: (commands) => run(['env', '-i', ...words, 'sh', '-euc', commands], { cwd: home }),
    remove,
  };
}

/** The commands that set the environment of an account, for the cloud of the tests. */
export function account(): string {
  return withOwn(documented('The account', 'sh', 0, pageAt('README')), {
    'https://keystone.example.com:5000': inject('cloud').keystone,
  });
}

/**
 * Does what a section of a page says, and returns what it printed.
 * @param own what stands in the place of words of the page
 * @throws when a command fails
 */
export async function follow(
  desk: Desk,
  page: string,
  section: string,
  own: Words = {},
  before = account(),
): Promise<string> {
  const commands = withOwn(documented(section, 'sh', 0, pageAt(page)), own);
  const { status, out, err } = await desk.sh(`${before}\n${commands}`);
  if (status !== 0) throw new Error(`${page}, "${section}" ended with ${status}: ${err}\n${out}`);
  return out;
}

/** What a page says that the commands of a section print. */
export function shown(page: string, section: string): string {
  return documented(section, 'text', 0, pageAt(page));
}

/** What the name server answers, once it answers something: after several changes perhaps an earlier one. */
export function resolved(name: string, type: string): Promise<readonly string[]> {
  return eventually(async () => {
    const { records } = await dig(inject('cloud').nameServer, name, type);
    const found = records.filter((record) => record.type === type).map(({ rdata }) => rdata);
    return found.length > 0 ? found : undefined;
  });
}
