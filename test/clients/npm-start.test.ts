import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { copyOfProject, environmentWith, fetchPackage } from '../support/packed.ts';

// The first start compiles everything.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let folder: string;
let project: string;
let runs = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-start-'));
  project = copyOfProject(join(folder, 'project'));
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  readonly npm: ChildProcess;
  readonly output: () => string;
  /** Waits until the output has a text; fails when npm ends without it. */
  wrote(text: string): Promise<true>;
  /** Waits until there is a process with a text in its command line; fails when npm ends without it. */
  runs(text: string): Promise<true>;
  /** The exit status of npm, or the signal that ended it, once nothing is left of what it started. */
  readonly ended: Promise<number | string>;
}

/** True as long as there is a process in the group. */
function lives(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** The command lines of the processes in the group. */
function commandLines(group: number): string[] {
  return spawnSync('ps', ['-e', '-o', 'pgid=,args='], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim().startsWith(`${group} `));
}

/** Runs `npm start` with one npm, all that it starts in a process group of its own. */
function npmStart(npmFolder: string): Started {
  const data = { ZONEWARDEN_DEFAULT__DATA_DIR: join(folder, `data-${runs++}`) };
  const env = environmentWith({ ...data, ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0' });
  const program = join(npmFolder, 'bin', 'npm-cli.js');
  const npm = spawn(process.execPath, [program, 'start'], { cwd: project, env, detached: true });
  let text = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (more) => (text += more));
  const gone = async () => {
    const [status, signal] = await once(npm, 'exit');
    const left = lives(npm.pid!);
    if (left) process.kill(-npm.pid!, 'SIGKILL');
    return left ? 'left processes behind' : (status ?? signal);
  };
  const ended = gone();
  const until = (holds: () => boolean) =>
    eventually(() => {
      if (holds()) return true as const;
      if (npm.exitCode !== null || npm.signalCode !== null) throw new Error(`npm ended: ${text}`);
      return undefined;
    }, 600_000);
  return {
    npm,
    output: () => text,
    wrote: (what) => until(() => text.includes(what)),
    runs: (what) => until(() => commandLines(npm.pid!).some((line) => line.includes(what))),
    ended,
  };
}

const compiledAt = () => statSync(join(project, 'dist', 'main.js'), { bigint: true }).mtimeNs;

it('npm start compiles a fresh clone, then only what has changed', async () => {
  const npmFolder = await fetchPackage(join(folder, 'npm'), 'npm', '11.6.2');
  const start = async () => {
    const started = npmStart(npmFolder);
    await started.wrote('listening on http');
    started.npm.kill('SIGTERM');
    await started.ended;
    return compiledAt();
  };
  const first = await start();
  expect(await start()).toBe(first);
  appendFileSync(join(project, 'src', 'main.ts'), '// A change.\n');
  expect(await start()).toBeGreaterThan(first);
});

describe.each(['10.9.2', '11.6.2'])('npm start, of npm %s', (version) => {
  let npmFolder: string;
  beforeAll(async () => {
    npmFolder = await fetchPackage(join(folder, version), 'npm', version);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('%s to npm stops the service in order', async (signal) => {
    const started = npmStart(npmFolder);
    await started.wrote('listening on http');
    started.npm.kill(signal);
    expect(await started.ended).toBe(0);
    expect(started.output()).toContain('"msg":"stopped"');
  });

  it('SIGTERM to npm while it compiles leaves nothing behind, and no service starts', async () => {
    const compiled = join(project, 'dist');
    renameSync(compiled, join(folder, 'compiled'));
    const started = npmStart(npmFolder);
    await started.runs('scripts/build.mjs');
    started.npm.kill('SIGTERM');
    expect(await started.ended).not.toBe('left processes behind');
    expect(started.output()).not.toContain('listening');
    rmSync(compiled, { recursive: true, force: true });
    renameSync(join(folder, 'compiled'), compiled);
  });
});
