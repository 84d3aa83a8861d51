import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service?.remove());

/** The commands of a section of the README, as they stand there. */
function commandsOf(section: string): string {
  const [, text = ''] = readFileSync('README.md', 'utf8').split(`## ${section}\n`);
  return /```sh\n(.*?)```/s.exec(text)?.[1] ?? '';
}

/** Runs commands against the test's own service instead of the one that `npm start` runs. */
function run(commands: string): Promise<string> {
  const here = commands
    .replace('http://127.0.0.1:9001', service.url)
    .replace('data/admin.token', `${service.dataDir}/admin.token`)
    // Each answer of the API is one line of JSON without a line end.
    .replaceAll('curl -s', "curl -s -w '\\n'");
  const env = { ...process.env, ZONEWARDEN_DEFAULT__DATA_DIR: service.dataDir };
  return new Promise((resolve) => execFile('sh', ['-c', here], { env }, (_error, out) => resolve(out)));
}

it('does what the README shows, word by word', async () => {
  const lines = (await run(commandsOf('Try it'))).trim().split('\n');
  const [blacklist, zone, refused, why, recordset, imported, usage] = lines;
  expect(lines).toHaveLength(7);
  expect(JSON.parse(blacklist!)).toMatchObject({ description: 'ours' });
  expect(JSON.parse(zone!)).toMatchObject({ name: 'shop.example.org.', project_id: 'shop' });
  expect(JSON.parse(refused!)).toMatchObject({ code: 400, message: 'Blacklisted domain name' });
  expect(why).toBe(`${JSON.parse(blacklist!).id} ${JSON.parse(blacklist!).pattern}`);
  expect(JSON.parse(recordset!)).toMatchObject({ records: ['192.0.2.1', '192.0.2.2'] });
  expect(JSON.parse(imported!)).toMatchObject({ status: 'COMPLETE' });
  expect(JSON.parse(usage!)).toMatchObject({ usage: { zones: 2, recordsets: 2 } });
});
