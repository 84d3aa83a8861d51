import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  commandsOn,
  logLines,
  type ServiceProcess,
  spawnService,
  startProcess,
  temporaryFolder,
} from '../../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
const running: ServiceProcess[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((service) => service.end('SIGKILL')));
  folder.remove();
});

async function start(): Promise<ServiceProcess> {
  const service = await startProcess({ dataDir });
  running.push(service);
  return service;
}

const filled = temporaryFolder();
beforeAll(async () => {
  const patterns = Array.from({ length: 3000 }, (_, number) => `^name${number}\\.example\\.$`).join('\n');
  await (await startProcess({ dataDir: filled.path })).end();
  const { status } = await commandsOn(filled.path)(['blacklist', 'import', '-'], { input: patterns });
  expect(status).toBe(0);
});
afterAll(() => filled.remove());

/** Makes a store with some pages of content. */
function makeStore(): string {
  cpSync(filled.path, dataDir, { recursive: true });
  return join(dataDir, 'zonewarden.db');
}

/** What the service says when it does not start. */
async function refusal(): Promise<string> {
  const refused = spawnService({ dataDir });
  // One that serves all the same is not waited for.
  refused.child.stdout!.once('data', () => refused.child.kill('SIGKILL'));
  const { status, out, err } = await refused.ended;
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
  return err;
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, position);
  closeSync(descriptor);
}

describe('a database that cannot be used: the service does not start, with one line', () => {
  it('a file that is no database', async () => {
    const file = makeStore();
    overwrite(file, 0, Buffer.alloc(100, 'garbage '));
    const err = await refusal();
    expect(err).toContain(file);
    expect(err).toContain('not a database');
    const command = await commandsOn(dataDir)(['blacklist', 'export']);
    expect(command).toMatchObject({ status: 2, out: '', err });
  });

  it('a page overwritten in the middle', async () => {
    const file = makeStore();
    const middle = Math.floor(statSync(file).size / 4096 / 2) * 4096;
    overwrite(file, middle, Buffer.alloc(4096, 0xa5));
    const err = await refusal();
    expect(err).toContain(file);
    expect(err).toContain('corrupt');
  });

  it('a file cut short', async () => {
    const file = makeStore();
    writeFileSync(file, readFileSync(file).subarray(0, 20_000));
    const err = await refusal();
    expect(err).toContain(file);
    expect(err).toMatch(/corrupt|I\/O/);
  });

  it('a file that is read-only', async () => {
    const file = makeStore();
    chmodSync(file, 0o444);
    const err = await refusal();
    expect(err).toContain(file);
    expect(err).toContain('read-only');
    expect(await commandsOn(dataDir)(['token', 'list'])).toMatchObject({ status: 2, out: '', err });
  });

  it('a file that another process has locked', async () => {
    const file = makeStore();
    const lock = await lockedByAnother(file);
    const err = await refusal();
    expect(err).toContain(file);
    expect(err).toContain('locked by another process');
    lock.stdin!.end();
    await once(lock, 'exit');
    await start();
  });

  it('a folder where the file should be', async () => {
    mkdirSync(join(dataDir, 'zonewarden.db'), { recursive: true });
    expect(await refusal()).toContain(join(dataDir, 'zonewarden.db'));
  });

  it('a file where the data folder should be', async () => {
    writeFileSync(dataDir, '');
    expect(await refusal()).toContain(dataDir);
  });
});

/** Another process that holds the whole database until its standard input ends. */
async function lockedByAnother(file: string): Promise<ChildProcess> {
  const script = `
    import { DatabaseSync } from '@photostructure/sqlite';
    const database = new DatabaseSync(process.argv[1]);
    database.exec('pragma locking_mode = exclusive; begin exclusive; update schema_version set version = version');
    console.log('locked');
    process.stdin.resume().on('end', () => {
      database.close();
      process.exit(0);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, file]);
  await once(child.stdout!, 'data');
  return child;
}

describe('one service a data folder', () => {
  it('the second refuses to start, and the first goes on; commands work beside it', async () => {
    const first = await start();
    const err = await refusal();
    expect(err).toContain(`Another zonewarden process is serving from ${dataDir}`);
    expect((await first.create('still.example.')).status).toBe(202);
    expect(await commandsOn(dataDir)(['token', 'list'])).toMatchObject({ status: 0, err: '' });
  });

  it('after kill -9 of the first the next one starts at once, with everything', async () => {
    const first = await start();
    expect((await first.create('kept.example.')).status).toBe(202);
    await first.end('SIGKILL');
    const second = await start();
    expect((await second.create('kept.example.')).status).toBe(409);
  });

  it('of many that start at the same moment, one serves', async () => {
    const all = Array.from({ length: 4 }, () => spawnService({ dataDir }));
    const isServing = (one: (typeof all)[number]) => one.out.startsWith('listening on ');
    const losers = await Promise.race([
      Promise.all(all.map((one) => one.ended)).then(() => []),
      // Three of them end by themselves; the fourth is ended here.
      new Promise<typeof all>((resolve) => {
        let ended = 0;
        for (const one of all) void one.ended.then(() => ++ended === 3 && resolve(all));
      }),
    ]);
    expect(losers).toHaveLength(4);
    const [winner, ...others] = [...all].sort(
      (a, b) => Number(a.child.exitCode !== null) - Number(b.child.exitCode !== null),
    );
    while (!isServing(winner!)) await once(winner!.child.stdout!, 'data');
    for (const other of others) {
      expect(await other.ended).toMatchObject({ status: 2, out: '' });
      expect(other.err).toContain('Another zonewarden process is serving from');
    }
    winner!.child.kill('SIGKILL');
    await winner!.ended;
  });
});

describe('a data folder that was there before', () => {
  it('open to others is served from, with a warning that names it and its database', async () => {
    makeStore();
    chmodSync(dataDir, 0o750);
    chmodSync(join(dataDir, 'zonewarden.db'), 0o644);
    const { err } = await (await start()).end();
    const warned = logLines(err).filter(({ level }) => level === 40);
    expect(warned.map(({ path }) => path)).toEqual([dataDir, join(dataDir, 'zonewarden.db')]);
  });

  it('of its owner alone is no reason to warn', async () => {
    makeStore();
    const { err } = await (await start()).end();
    expect(logLines(err).filter(({ level }) => level === 40)).toEqual([]);
  });
});
