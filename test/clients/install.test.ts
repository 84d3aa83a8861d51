import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { type Machine, type MachineOptions, newMachine } from '../support/machine.ts';
import { commandBlocks, copyOfProject, fetchNode, output } from '../support/packed.ts';
import { findPostgres } from '../support/postgres/binaries.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/server.ts';
import { expectReadmeAnswers, readmeSteps } from '../support/readme-steps.ts';

const PAGE = 'docs/install.md';
/** The file that makes a folder of the packed file a package. */
const PACKAGE = /^package\/((?:.+\/)?node_modules\/(?:@[^/]+\/)?[^/@]+)\/package\.json$/;
const blocks = (section: string) => commandBlocks(PAGE, section);

// Each install writes some 5,500 files.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

let folder: string;
let project: string;
let node: string;
let packed: string;
/** Where the packed file is installed. */
let installed: Machine;
const machines: Machine[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-install-'));
  project = copyOfProject(join(folder, 'clone'));
  node = await fetchNode(join(folder, 'node'), 24);
  await output('sh', ['-euc', blocks('The package')[0]!], { cwd: project });
  packed = readdirSync(project).find((name) => name.endsWith('.tgz'))!;
  installed = await machineWithFile();
  await installed.run(blocks('The package')[1]!);
});
afterAll(async () => {
  for (const machine of machines) await machine.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A machine with Node.js 24, the packed file and nothing else. */
async function machineWithFile(options: Partial<MachineOptions> = {}): Promise<Machine> {
  const root = join(folder, `machine-${machines.length}`);
  const machine = newMachine(root, { node, port: await freePort(), ...options });
  machines.push(machine);
  cpSync(join(project, packed), join(machine.home, packed));
  return machine;
}

const zoneNames = async (machine: Machine, token: string): Promise<string[]> => {
  const answer = await fetch(`${machine.url}/v2/zones`, { headers: { 'x-auth-token': token } });
  const { zones } = (await answer.json()) as { zones: { name: string }[] };
  return zones.map(({ name }) => name);
};

async function createZone(machine: Machine, token: string, name: string): Promise<void> {
  const headers = { 'x-auth-token': token, 'content-type': 'application/json' };
  const body = JSON.stringify({ name, email: 'hostmaster@example.org' });
  expect((await fetch(`${machine.url}/v2/zones`, { method: 'POST', headers, body })).status).toBe(202);
}

describe('the packed file', () => {
  it('holds the program and the documents, and nothing of how they are made', async () => {
    const files = (await output('tar', ['-tzf', join(project, packed)])).split('\n');
    const own = files.filter((file) => !file.startsWith('package/node_modules/'));
    const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));
    expect(own).toEqual(expect.arrayContaining(documents.map((name) => `package/docs/${name}`)));
    expect(own).toEqual(
      expect.arrayContaining([
        'package/packed/main.js',
        'package/packed/current/console/index.html',
        'package/README.md',
        'package/LICENSE',
      ]),
    );
    expect(own.filter((file) => /\.ts$|\.map$|tsbuildinfo|^package\/(src|test)\//.test(file))).toEqual([]);
  });

  it('holds each dependency in the version of the lock file, and no other', async () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const ofLock = Object.entries<{ version: string; dev?: boolean }>(packages)
      .filter(([place, { dev }]) => place !== '' && !dev)
      .map(([place, { version }]) => `${place} ${version}`);
    const files = (await output('tar', ['-tzf', join(project, packed)])).split('\n');
    const found = files.flatMap((file) => {
      const [, place] = PACKAGE.exec(file) ?? [];
      if (place === undefined) return [];
      const inside = installed.at(`/usr/local/lib/node_modules/zonewarden/${place}/package.json`);
      return [`${place} ${JSON.parse(readFileSync(inside, 'utf8')).version}`];
    });
    expect(found.sort()).toEqual(ofLock.sort());
  });

  it('does what the README shows, installed for another Node.js without a registry and without install scripts', async () => {
    const machine = await machineWithFile({ packagesOf: installed });
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await machine.run('zonewarden --version; node --version')).toMatch(`${version}\nv24.`);
    const serve = `
      ZONEWARDEN_SERVICE_API__LISTEN=127.0.0.1:9001 zonewarden serve >out & trap 'kill $!; wait $!' EXIT
      until grep -q ^listening out; do kill -0 $!; done`;
    const steps = readmeSteps(machine.url).replaceAll('node dist/main.js', 'zonewarden');
    // The steps have a refusal and a name that is taken among them: what comes after is done all the same.
    expectReadmeAnswers(await machine.run(`${serve}\nset +e\n${steps}\ntrue`));
  });

  it('runs by npx without being installed, a registry or a cache, with its data where it is started', async () => {
    const machine = await machineWithFile();
    const [command] = /(?<=`)npx [^`]+/.exec(readFileSync(PAGE, 'utf8'))!;
    // In a group, as a terminal ends it: npx that is ended alone leaves the service behind.
    const tried = `
      ZONEWARDEN_SERVICE_API__LISTEN=127.0.0.1:9001 setsid ${command} >out 2>err & trap 'kill -- -$!; wait $! || true' EXIT
      until grep -qs ^listening out; do kill -0 $! || { cat err; exit 1; }; sleep 1; done
      curl --silent --fail http://127.0.0.1:9001/healthcheck; ls`;
    expect(await machine.run(tried)).toMatch(/^{"status":"ok"}\s*data\n/);
  });
});

describe('the page on installing', () => {
  it('sets up the service, upgrades it, and brings a backup back', async () => {
    const machine = installed;
    const [setUp, look, command] = blocks('A systemd service');
    await machine.run(setUp!);
    const admin = (await machine.run(look!)).split('\n').at(-2)!;
    expect(await zoneNames(machine, admin)).toEqual([]);
    expect(statSync(machine.at('/var/lib/zonewarden')).mode & 0o777).toBe(0o700);
    const token = (await machine.run(command!)).trim();
    await createZone(machine, token, 'before.example.');

    const [upgrade] = blocks('Upgrade');
    expect(await machine.run(upgrade!)).toMatch(/1 zone/);
    expect(machine.log).toContain('"msg":"stopped"');
    await createZone(machine, token, 'after.example.');
    expect(await zoneNames(machine, token)).toEqual(['before.example.', 'after.example.']);

    const [restore] = blocks('Restore');
    expect(await machine.run(restore!)).toMatch(/1 zone/);
    expect(await zoneNames(machine, token)).toEqual(['before.example.']);
  });

  it('has every command tried here, but for those of a container', () => {
    const sections = ['The package', 'A systemd service', 'PostgreSQL', 'Upgrade', 'Restore'];
    const tried = sections.map((section) => blocks(section).length);
    expect(tried).toEqual([2, 3, 2, 1, 1]);
    const all = readFileSync(PAGE, 'utf8').match(/```sh\n/g)!.length;
    expect(all - tried.reduce((sum, count) => sum + count)).toBe(blocks('A container').length);
  });
});

describe.runIf(findPostgres())('the page on installing, with PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    // The page makes the role that the tests' servers have from the start.
    await server.query('drop role zonewarden');
  });
  afterAll(() => server?.remove());

  it('makes the database, and the service moves there', async () => {
    const { password, port } = new URL(server.url('postgres'));
    const PGPASSWORD = decodeURIComponent(password);
    const env = { PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres', PGPASSWORD };
    const machine = await machineWithFile({ env, packagesOf: installed });
    await machine.run(blocks('A systemd service').slice(0, 2).join(''));
    const [database, connection] = blocks('PostgreSQL');
    await machine.run(database!);
    await machine.run(connection!.replace('db.example.com:5432', `127.0.0.1:${port}`));
    const token = (await machine.run(blocks('A systemd service')[2]!)).trim();
    await createZone(machine, token, 'there.example.');
    expect(await server.query('select name from zones', [], 'zonewarden')).toEqual([
      { name: 'there.example.' },
    ]);
    await machine.stop();
  });
});

describe('the unit', () => {
  const unit = readFileSync('docs/systemd/zonewarden.service', 'utf8');
  /** What a tool of systemd's says of the unit, with a program in it that is there. */
  const analyze = (...args: string[]) => {
    const file = join(folder, 'zonewarden.service');
    writeFileSync(file, unit.replace('ExecStart=zonewarden', `ExecStart=${process.execPath}`));
    return spawnSync('systemd-analyze', [...args, file], { encoding: 'utf8' });
  };

  it('is understood by systemd in every line', () => {
    const { status, stderr } = analyze('verify', '--man=no');
    // It reads the other units of the machine too, and tells of theirs.
    const faults = stderr.split('\n').filter((line) => line.includes('zonewarden'));
    expect({ status, faults }).toEqual({ status: 0, faults: [] });
  });

  it('is confined, as systemd counts it', () => {
    const { status, stdout } = analyze('security', '--offline=yes', '--threshold=15', '--no-pager');
    expect([status, stdout]).toEqual([0, expect.stringContaining('Overall exposure level')]);
  });
});

describe('the Containerfile', () => {
  const text = readFileSync('Containerfile', 'utf8');
  const instructions = DockerfileParser.parse(text)
    .getInstructions()
    .map((one) => [one.getKeyword(), one.getArgumentsContent() ?? '']);
  const all = (keyword: string) => instructions.filter(([name]) => name === keyword).map(([, args]) => args!);

  it('has no fault', () => {
    expect(validate(text)).toEqual([]);
  });

  it('packs in the first stage what a clean clone holds', () => {
    expect(all('COPY')).toEqual(['. .']);
    expect(all('RUN')[0]).toBe(blocks('The package')[0]!.trim());
    const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', 'data']));
  });

  it('installs it in the second stage so that it runs, healthy, from its folder alone', async () => {
    const machine = await machineWithFile();
    await machine.run(all('RUN')[1]!.replace('/src/', `${project}/`));
    expect(statSync(machine.at('/var/lib/zonewarden')).mode & 0o777).toBe(0o700);
    const words = (keyword: string): string[] => JSON.parse(all(keyword)[0]!);
    const [, check] = /^.*?CMD (.*)$/.exec(all('HEALTHCHECK')[0]!)!;
    const quoted = (list: string[]) => list.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const health = quoted(JSON.parse(check!));
    const printed = await machine.run(`
      export ${all('ENV')[0]!.replace('0.0.0.0:9001', '127.0.0.1:9001')}
      cd ${all('WORKDIR')[1]}/
      ${health} && exit 1
      ${quoted([...words('ENTRYPOINT'), ...words('CMD')])} >${machine.home}/out & trap 'kill $!; wait $!' EXIT
      until grep -q ^listening ${machine.home}/out; do kill -0 $!; done
      ${health} && echo healthy; ls`);
    expect(printed.split('\n').slice(0, 2)).toEqual(['healthy', 'admin.token']);
    expect(all('USER')).toEqual(['node']);
  });
});
