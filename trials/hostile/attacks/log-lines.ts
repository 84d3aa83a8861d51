import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expectSuccess } from '../../../test/support/client.ts';
import { type Answers, type Attack, atOnce } from '../attack.ts';
import { makeZone, type Site, ZONE } from '../site.ts';

const PARALLEL = 16;

/** Attacks for two seconds, and notes what was logged of it. */
async function loggedWhile(site: Site, answers: Answers, attack: () => Promise<unknown>): Promise<void> {
  const before = site.service.logged.length;
  const began = performance.now();
  while (performance.now() - began < 2000) await atOnce(PARALLEL, attack);
  const seconds = (performance.now() - began) / 1000;
  const lines = site.service.logged.slice(before);
  const longest = Math.max(0, ...lines.map((line) => JSON.stringify(line).length));
  answers.note(`${(lines.length / seconds).toFixed(0)} lines a second, the longest ${longest} bytes`);
}

const longPaths: Attack = {
  name: 'long-paths',
  title: 'anonymous requests with a path of 16,000 bytes',
  async prepare(site) {
    const attacker = site.client('attacker', PARALLEL);
    const path = `/${'x'.repeat(16_000)}`;
    const anonymous = { 'x-auth-token': '' };
    return (answers) =>
      loggedWhile(site, answers, () => answers.ask(attacker, 'GET', path, undefined, anonymous));
  },
};

const fullDisk: Attack = {
  name: 'full-disk',
  title: "writes on a full disk (others' creates fail as well)",
  async prepare(site) {
    const attacker = site.client('attacker', PARALLEL);
    const id = await makeZone(attacker, 'hostile.example.');
    const records = [`"${'x'.repeat(250)}" `.repeat(250)];
    for (let at = 0; at < 100; at += 1) {
      const recordset = { name: `n${at}.hostile.example.`, type: 'TXT', records };
      await expectSuccess(attacker, 'POST', `/v2/zones/${id}/recordsets`, recordset);
    }
    let number = 0;
    return async (answers, round) => {
      // No file of the service may grow beyond what the log of its store has: as where the disk is full.
      const { size } = statSync(join(site.service.dataDir, 'zonewarden.db-wal'));
      if (round === 0)
        execFileSync('prlimit', ['--pid', String(site.service.pid), `--fsize=${Math.min(size, 4_000_000)}:`]);
      await loggedWhile(site, answers, () => {
        const recordset = { name: `m${++number}.hostile.example.`, type: 'TXT', records };
        return answers.ask(attacker, 'POST', `/v2/zones/${id}/recordsets`, recordset);
      });
    };
  },
};

const ADDRESS = 'invalid';

const faults: Attack = {
  name: 'refused',
  title: 'creates that are refused, with a mail address of 400,000 characters',
  async prepare(site) {
    const attacker = site.client('attacker', PARALLEL);
    const body = { name: 'hostile.example.', ...ZONE, email: ADDRESS.repeat(60_000) };
    return (answers) => loggedWhile(site, answers, () => answers.ask(attacker, 'POST', '/v2/zones', body));
  },
};

export const LOG_ATTACKS: readonly Attack[] = [longPaths, fullDisk, faults];
