import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, forEachInParallel } from '../../../test/support/client.ts';
import { type Attack, atOnce, pause } from '../attack.ts';
import { type Site, ZONE } from '../site.ts';

const PROJECTS = 5;
/** A pattern that takes the whole budget of a check for names of many letters. */
const SLOW = '^(\\w+)+\\.(\\w+)+\\.\\1\\2x';
const PREVIEWS = '/v2/blacklists/previews';

function importLines(site: Site, lines: Iterable<string>, ...options: string[]): void {
  const file = join(site.service.dataDir, '..', 'entries');
  writeFileSync(file, [...lines].join('\n'));
  site.service.command('blacklist', 'import', ...options, file);
}

function* numbered(count: number, line: (number: number) => string): Iterable<string> {
  for (let number = 0; number < count; number++) yield line(number);
}

/** A name of 255 characters in which `qq` is again and again. */
function longName(number: number): string {
  const labels = ['q'.repeat(63), 'q'.repeat(63), 'q'.repeat(63)];
  return `${String(number).padStart(8, '0')}${'q'.repeat(53)}.${labels.join('.')}.`;
}

function asking(
  name: string,
  title: string,
  options: readonly string[],
  line: (i: number) => string,
  count: number,
): Attack {
  return {
    name,
    title,
    async prepare(site) {
      importLines(site, numbered(count, line), ...options);
      const admin = connect(site.service.url, site.service.admin, 10);
      const names = Array.from({ length: 1000 }, (_, number) => longName(number));
      return async (answers) => {
        await atOnce(10, async () => {
          const text = await answers.ask(admin, 'POST', '/v2/blacklists/check', { names });
          const reached = text.split('"checked":true').length - 1;
          if (reached > 0)
            answers.note(`${Math.ceil(reached / 100)}00 names, ${Math.ceil(text.length / 1e6)} MB`);
        });
      };
    },
  };
}

/** Of so many as a check can pay for, each with as many exceptions, as long as they can be. */
const withExceptions = (number: number): string =>
  JSON.stringify({
    pattern: `q(?:q|z${number})`,
    exceptions: Array.from({ length: 100 }, (_, place) => ({
      project_id: `other-${place}`,
      name: longName(place),
      description: 'd'.repeat(1000),
    })),
  });

const exceptions: Attack = {
  name: 'admin-exceptions',
  title: 'creates of a name that 250 entries match, each with 100 exceptions, 4 at once',
  async prepare(site) {
    importLines(site, numbered(250, withExceptions), '--jsonl');
    const attacker = site.client('attacker', 4);
    let number = 0;
    return (answers) =>
      atOnce(4, () => answers.ask(attacker, 'POST', '/v2/zones', { name: longName(++number), ...ZONE }));
  },
};

const previews: Attack = {
  name: 'admin-previews',
  title: `previews of ${PROJECTS} projects whose pattern takes the whole budget for each zone`,
  async prepare(site) {
    await site.allow('attacker', { zones: -1 });
    const attacker = site.client('attacker', 4);
    const names = numbered(300, (i) => `${'ab'.repeat(30)}.${'cd'.repeat(30)}.s${i}.example.`);
    await forEachInParallel(names, 4, async (name) => {
      await attacker.send('POST', '/v2/zones', { name, ...ZONE });
    });
    const admins = Array.from({ length: PROJECTS }, (_, at) =>
      connect(site.service.url, site.service.token(`admin-${at}`, 'admin'), 1),
    );
    return async (answers) => {
      const begun = await Promise.all(
        admins.map((admin) => answers.ask(admin, 'POST', PREVIEWS, { pattern: SLOW })),
      );
      await pause(20_000);
      for (const [at, text] of begun.entries()) {
        const path = `${PREVIEWS}/${JSON.parse(text).id}`;
        const { zones } = JSON.parse((await admins[at]!.send('GET', path)).text);
        answers.note(`${Math.ceil(zones.seen / 10)}0 zones`);
        await admins[at]!.send('DELETE', path);
      }
    };
  },
};

/** What an administrator may do by mistake, or with a token that was stolen. */
export const ADMINISTRATOR_ATTACKS: readonly Attack[] = [
  asking(
    'admin-checks',
    'checks of 1,000 names of 255 characters, 10 at once, beside 100,000 patterns that match each',
    [],
    (i) => `q(?:q|z${i})`,
    100_000,
  ),
  asking(
    'admin-told-exceptions',
    'the same beside 250 entries, each with 100 exceptions of 1.4 kB',
    ['--jsonl'],
    withExceptions,
    250,
  ),
  exceptions,
  previews,
];
