/** The repository of docs/gitops.md, its files as they are written there, with Git and a running service. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Finished, run } from '../support/process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';

const PAGE = readFileSync('docs/gitops.md', 'utf8');
const ZONE = 'example.org.';
const PULL_REQUEST = '7';

interface Job {
  readonly if: string;
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

let service: TestService;
let token: string;
/** Can only plan. */
let planner: string;
let zoneId: string;
let folder: string;
/** The repository of the author, and one that the CI checks out. */
let author: string;
let ci: string;
let files: ReadonlyMap<string, string>;

const GIT = {
  GIT_AUTHOR_NAME: 'author',
  GIT_AUTHOR_EMAIL: 'author@example.org',
  GIT_COMMITTER_NAME: 'author',
  GIT_COMMITTER_EMAIL: 'author@example.org',
};

async function sh(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const path = `${join(folder, 'bin')}:${process.env.PATH}`;
  return run(['sh', '-euc', `cd '${cwd}'\n${command}`], { env: { PATH: path, HOME: folder, ...env } });
}

async function git(command: string, cwd = author): Promise<string> {
  const { status, out, err } = await sh(command, cwd, GIT);
  if (status !== 0) throw new Error(`${command}: ${err}`);
  return out.trim();
}

/** Runs the steps of a job in a fresh checkout of the main branch; installing the program is left out. */
async function runJob(name: 'plan' | 'apply'): Promise<Finished> {
  const job: Job = parse(files.get('.github/workflows/dns.yml')!).jobs[name];
  expect(Object.keys(job.env)).toEqual(expect.arrayContaining(['DNS_URL', 'ZONEWARDEN_TOKEN']));
  const known = {
    DNS_URL: service.url,
    ZONEWARDEN_TOKEN: name === 'plan' ? planner : token,
    PULL_REQUEST,
  };
  const env = Object.fromEntries(Object.entries(known).filter(([key]) => key in job.env));
  rmSync(ci, { recursive: true, force: true });
  await git(`git clone --quiet --branch main origin.git '${ci}'`, folder);
  const steps = job.steps.flatMap((step) => step.run ?? []).filter((step) => !step.startsWith('npm install'));
  return sh(steps.join('\n'), ci, env);
}

/** Opens a pull request that gives the zone file some contents; undefined deletes it. */
async function open(contents: string): Promise<void> {
  await git('git checkout --quiet -B change main');
  writeFileSync(join(author, 'zones/example.org.zone'), contents);
  await git(
    `git commit --quiet --all --message change && git push --quiet --force origin change:refs/pull/${PULL_REQUEST}/head`,
  );
}

async function merge(how = 'git merge --quiet --no-ff --no-edit change'): Promise<void> {
  await git(`git checkout --quiet main && ${how} && git push --quiet origin main`);
}

async function addresses(name = `www.${ZONE}`): Promise<readonly string[]> {
  const { json } = await service.request('GET', `/v2/zones/${zoneId}/recordsets?name=${name}`, { token });
  return json.recordsets.flatMap(({ records }: { records: string[] }) => records);
}

function writeFiles(): void {
  files = new Map(
    [...PAGE.matchAll(/^`([^`]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(([, name, text]) => [name!, text!]),
  );
  expect([...files.keys()]).toEqual(['plan.sh', 'apply.sh', '.github/workflows/dns.yml']);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(author, name)), { recursive: true });
    writeFileSync(join(author, name), text);
    if (name.endsWith('.sh')) chmodSync(join(author, name), 0o755);
  }
}

beforeAll(async () => {
  service = await startTestService();
  token = await service.token('dns', 'member');
  const body = { name: ZONE, email: 'a@example.org' };
  zoneId = (await service.request('POST', '/v2/zones', { token, body })).json.id;
  folder = mkdtempSync(join(tmpdir(), 'zonewarden-gitops-'));
  author = join(folder, 'author');
  ci = join(folder, 'ci');
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin/zonewarden');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/main.js')}' "$@"\n`);
  chmodSync(program, 0o755);
  const [ofPage] = /zonewarden token create .*CI, plan.*/.exec(PAGE)!;
  planner = (await sh(ofPage, folder, storeOptions(service.dataDir))).out.trim();
  expect(planner).toMatch(/^zw_/);
  await git(
    'git init --quiet --bare --initial-branch=main origin.git && git clone --quiet origin.git author 2>&1',
    folder,
  );
  writeFiles();
  mkdirSync(join(author, 'zones'));
  writeFileSync(join(author, 'zones/example.org.zone'), 'old 60 A 192.0.2.1\n');
  const push = 'git add --all && git commit --quiet --message begin && git branch --move --force main';
  await git(`${push} && git push --quiet origin main`);
});
afterAll(async () => {
  await service?.remove();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

it('leaves a zone as it is whose file was never planned', async () => {
  const { status, err } = await runJob('apply');
  expect([status, err]).toEqual([1, expect.stringContaining('no plan is noted for this file')]);
  expect(await addresses(`old.${ZONE}`)).toEqual([]);
});

it('plans a pull request and changes nothing, and makes these changes once it is merged', async () => {
  await open('www 60 A 192.0.2.1\n');
  const planned = await runJob('plan');
  expect(planned).toMatchObject({
    status: 0,
    out: expect.stringContaining(`+www.${ZONE} 60 IN A 192.0.2.1\n`),
  });
  expect(await addresses()).toEqual([]);
  await merge();
  expect(await runJob('apply')).toMatchObject({ status: 0 });
  expect(await addresses()).toEqual(['192.0.2.1']);
  const { json } = await service.request('GET', `/v2/zones/${zoneId}/changes?limit=1`, { token });
  expect(json.changes[0]).toMatchObject({
    door: 'contents',
    description: `commit ${await git('git rev-parse main')}`,
  });
  expect(await runJob('apply')).toMatchObject({ status: 0, out: '' });
});

it('applies a squashed branch, too', async () => {
  await open('www 60 A 192.0.2.2\n');
  await runJob('plan');
  await merge('git merge --quiet --squash change && git commit --quiet --message squashed');
  expect(await runJob('apply')).toMatchObject({ status: 0 });
  expect(await addresses()).toEqual(['192.0.2.2']);
});

it('refuses a plan that is outdated, and makes a new one', async () => {
  await open('www 60 A 192.0.2.3\n');
  await runJob('plan');
  const [recordset] = (
    await service.request('GET', `/v2/zones/${zoneId}/recordsets?name=www.${ZONE}`, { token })
  ).json.recordsets;
  const body = { records: ['192.0.2.99'] };
  await service.request('PUT', `/v2/zones/${zoneId}/recordsets/${recordset.id}`, { token, body });
  await merge();
  expect(await runJob('apply')).toMatchObject({ status: 1 });
  expect(await addresses()).toEqual(['192.0.2.99']);
  await open('; with the address of today\nwww 60 A 192.0.2.3\n');
  expect(await runJob('plan')).toMatchObject({ status: 0 });
  await merge();
  expect(await runJob('apply')).toMatchObject({ status: 0 });
  expect(await addresses()).toEqual(['192.0.2.3']);
});

it('fails where the service refuses the plan', async () => {
  await open('www 60 A 192.0.2.4\nwww 60 CNAME other\n');
  const refused = await runJob('plan');
  expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('CNAME')]);
  await open('www 60 A not-an-address\n');
  expect(await runJob('plan')).toMatchObject({ status: 1 });
  await merge();
  expect(await runJob('apply')).toMatchObject({ status: 1 });
  expect(await addresses()).toEqual(['192.0.2.3']);
});

it('runs nothing of a pull request, and reads no file outside of it', async () => {
  await git('git checkout --quiet -B change main');
  const evil = 'touch "$HOME/owned"';
  writeFileSync(join(author, 'plan.sh'), `#!/bin/sh\n${evil}\n`);
  await git(
    `rm zones/example.org.zone && ln -s /proc/self/environ zones/example.org.zone
    echo 'a 60 A 192.0.2.1' >'zones/$(touch owned).zone'; echo 'a 60 A 192.0.2.1' >zones/--json.zone
    echo '$INCLUDE /proc/self/environ' >zones/include.example.zone`,
  );
  await git(
    `git add --all && git commit --quiet --message evil && git push --quiet --force origin change:refs/pull/${PULL_REQUEST}/head`,
  );
  const { status, out, err } = await runJob('plan');
  expect(status).toBe(1);
  expect(out + err).not.toContain(token);
  const owned = await sh('ls -a "$HOME" ; ls -a .', ci);
  expect(owned.out).not.toContain('owned');
});
