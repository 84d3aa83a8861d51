import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

type Environment = Readonly<Record<string, string | undefined>>;

/** What npm tells its own scripts, but for where its registry and its cache are; another npm would take it for its own. */
const OF_NPM = /^(npm_(?!config_(registry|userconfig|cache|cafile)$)|INIT_CWD$|ZONEWARDEN_)/;

/** The environment as it is outside of npm's scripts. */
export function environmentWith(own: Environment): Environment {
  const kept = Object.entries(process.env).filter(([name]) => !OF_NPM.test(name));
  return { ...Object.fromEntries(kept), ...own };
}

/**
 * Runs a program to its end.
 * @returns what it wrote to standard output
 * @throws when its exit status is not 0, with what it wrote to standard error
 */
export async function output(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: Environment } = {},
): Promise<string> {
  const { env = {}, ...rest } = options;
  const maxBuffer = 2 ** 26;
  const { stdout } = await promisify(execFile)(command, args, {
    ...rest,
    env: environmentWith(env),
    maxBuffer,
  });
  return stdout;
}

/** Copies into a new folder what a clean clone has: everything of the project that git does not ignore. */
export function copyOfProject(folder: string): string {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  for (const file of listed.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  return folder;
}

/** Fetches a package from the registry into a folder, and returns where it is. It runs no install script. */
export async function fetchPackage(folder: string, name: string, range: string): Promise<string> {
  await output('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', `${name}@${range}`]);
  return join(folder, 'node_modules', name);
}

/** The folder of another version of Node.js's program. */
export async function fetchNode(folder: string, major: number): Promise<string> {
  const fetched = await fetchPackage(folder, `node-${process.platform}-${process.arch}`, String(major));
  return join(fetched, 'bin');
}

/** The commands of a document's section, block by block, as they stand there. */
export function commandBlocks(page: string, section: string): string[] {
  const sections = readFileSync(resolve(page), 'utf8').split(/^## /m);
  const text = sections.find((one) => one.startsWith(`${section}\n`)) ?? '';
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands!);
}
