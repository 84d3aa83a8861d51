import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../../test/support/client.ts';
import { type Answers, type Attack, atOnce, pause } from '../attack.ts';
import { FAMILIES } from '../patterns/families.ts';
import { type Site, ZONE } from '../site.ts';

/** Imports the list by a command, beside the running service, which takes it up with the next create. */
async function importList(site: Site, program: string, file: string): Promise<number> {
  const env = { ...process.env, ZONEWARDEN_DEFAULT__DATA_DIR: site.service.dataDir };
  const child = spawn(process.execPath, [program, 'blacklist', 'import', file], { env, stdio: 'ignore' });
  const [status] = await once(child, 'exit');
  return status;
}

/** Names that keep the patterns busy, each with another first label. */
function nameOf(names: readonly string[], number: number): string {
  const name = names[number % names.length]!;
  const own = `n${number}.`;
  return own + name.slice(Math.max(0, name.length + own.length - 250)).replace(/^\.+/, '');
}

/** How many zones are created at once. */
const CREATES = 20;
/** Milliseconds between two health checks. */
const ASKED_EVERY = 5;

/** Asks for the health of the service, steadily, until the work is done. */
async function watchHealth(client: Client, answers: Answers, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const sent = performance.now();
    await client.send('GET', '/healthcheck');
    answers.waited('/healthcheck', performance.now() - sent);
    await Promise.race([done, pause(ASKED_EVERY)]);
  }
  await done;
}

function checking(name: string, title: string): Attack {
  const family = FAMILIES.find((one) => one.title === title)!;
  return {
    name: `patterns-${name}`,
    title: `patterns: ${title}`,
    async prepare(site) {
      const attacker = site.client('attacker', CREATES);
      const watcher = site.client('watcher');
      await site.allow('attacker', { zones: -1 });
      const file = join(site.service.dataDir, '..', 'patterns.txt');
      writeFileSync(file, [...family.patterns()].join('\n'));
      let number = 0;
      return async (answers, round) => {
        if (round === 0) answers.note(`imported: ${await importList(site, site.program, file)}`);
        const creates = atOnce(CREATES, () => {
          const zone = { name: nameOf(family.names, ++number), ...ZONE };
          return answers.ask(attacker, 'POST', '/v2/zones', zone);
        });
        await watchHealth(watcher, answers, creates);
      };
    },
  };
}

const million: Attack = {
  name: 'patterns-million',
  title: 'a list of 1,000,000 patterns imported',
  async prepare(site) {
    const attacker = site.client('attacker');
    const file = join(site.service.dataDir, '..', 'patterns.txt');
    const lines = Array.from(
      { length: 1_000_000 },
      (_, at) => `^(?:[^.]+\\.)*name-${at.toString(36)}\\.example\\.$`,
    );
    writeFileSync(file, lines.join('\n'));
    return async (answers, round) => {
      if (round === 0) answers.note(`imported: ${await importList(site, site.program, file)}`);
      await answers.ask(attacker, 'POST', '/v2/zones', { name: `n${round}.hostile.example.`, ...ZONE });
    };
  },
};

export const PATTERN_ATTACKS: readonly Attack[] = [
  checking('long', 'seven of 1.6 kB behind each literal, 400'),
  checking('seven', 'seven of 1.6 kB behind each literal, 1,400'),
  checking('trivial', 'seven trivial ones behind each of 600 literals of one name'),
  checking('jumps', 'many jumps, 1,000'),
  checking('no-literal', 'no literal, 8,000'),
  checking('eight', 'eight behind each of 8,000 literals'),
  checking('back-reference', '`(.{2,})(?:.*\\1){3}`'),
  checking('counts', 'nested counts, 200'),
  million,
];
