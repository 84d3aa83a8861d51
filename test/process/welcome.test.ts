import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { welcomeLines } from '../../src/cli/welcome.ts';
import { PROGRAM, spawnService, temporaryFolder, written } from '../support/process.ts';
import { storeOptions } from '../support/store.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const asked = { url: 'http://127.0.0.1:9001', publicUrl: '', hasConsole: true, publishes: true };

it('says where the console and the admin token are, and how to stop', () => {
  writeFileSync(join(folder.path, 'admin.token'), 'zw_\n');
  expect(welcomeLines({ ...asked, dataDir: folder.path })).toEqual([
    '',
    '  Console       http://127.0.0.1:9001/console',
    `  Admin token   in the file ${folder.path}/admin.token`,
    '  To stop       press Ctrl+C',
    '',
  ]);
});

it('says how to make a token where the file is gone, and shows the public URL and no console that is off', () => {
  const lines = welcomeLines({
    ...asked,
    publicUrl: 'https://dns.example.org',
    hasConsole: false,
    dataDir: join(folder.path, 'none'),
  });
  expect(lines).toContain('  API           https://dns.example.org');
  expect(lines).toContain('  Admin token   zonewarden token create --project admin --role admin');
});

it('says that zones are not published only where no pool has name servers', () => {
  const telling = (publishes: boolean) =>
    welcomeLines({ ...asked, publishes, dataDir: folder.path }).join('\n');
  expect(telling(false)).toContain('not published yet');
  expect(telling(false)).toContain('zonewarden pool init --bind DIR --ns ns1.example.net.');
  expect(telling(true)).not.toContain('Name servers');
});

/** Runs the service at a terminal of its own, which `script` brings. */
function atTerminal(dataDir: string): { child: ChildProcess; shown(): string } {
  const serve = `exec '${process.execPath}' '${PROGRAM}' serve`;
  const child = spawn('script', ['--quiet', '--return', '--command', serve, '/dev/null'], {
    env: { ...process.env, ...storeOptions(dataDir), ZONEWARDEN_SERVICE_API__LISTEN: '127.0.0.1:0' },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return { child, shown: () => text };
}

it('greets at a terminal, logs for people there, and stops at Ctrl+C', async () => {
  const dataDir = join(folder.path, 'terminal');
  mkdirSync(dataDir, { mode: 0o700 });
  const { child, shown } = atTerminal(dataDir);
  while (!shown().includes('press Ctrl+C')) await once(child.stdout!, 'data');
  child.stdin!.write('\x03');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(shown()).toMatch(/^listening on http:\S+\r$/m);
  expect(shown()).toMatch(/\d\d:\d\d:\d\d\.\d{3} INFO {2}listening url=http:\S+ /);
  expect(shown()).toMatch(/ {2}Console {7}http:\S+\/console\r\n {2}Admin token {3}in the file /);
  expect(shown()).toContain('not published yet');
  expect(shown()).toMatch(/INFO {2}stopped\r\n$/);
});

it('greets nobody where there is no terminal', async () => {
  const service = spawnService({ dataDir: join(folder.path, 'pipes') });
  await written(service, 'err', /"msg":"listening"/);
  service.child.kill('SIGTERM');
  const { out, err } = await service.ended;
  expect(out).toMatch(/^listening on http:\S+\n$/);
  expect(err).not.toContain('Ctrl+C');
});
