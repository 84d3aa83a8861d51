import { execFile } from 'node:child_process';
import { afterAll, beforeAll, it } from 'vitest';
import { expectReadmeAnswers, readmeSteps } from '../support/readme-steps.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess();
});
afterAll(() => service?.remove());

/** Runs commands against the test's own service instead of the one that `npm start` runs. */
function run(commands: string): Promise<string> {
  const here = commands.replace('data/admin.token', `${service.dataDir}/admin.token`);
  const env = { ...process.env, ZONEWARDEN_DEFAULT__DATA_DIR: service.dataDir };
  return new Promise((resolve) => execFile('sh', ['-c', here], { env }, (_error, out) => resolve(out)));
}

it('does what the README shows, word by word', async () => {
  expectReadmeAnswers(await run(readmeSteps(service.url)));
});
