/**
 * What others notice of a hostile tenant. Each attack has a service of its own with a heap of 512 MB; another project reads
 * and creates at a steady rate, first beside an idle attacker, then beside the attack. A row for each attack: what others
 * waited (p99), the largest turn of the service's event loop, the most memory, and how the attack was answered. Attacks that must never
 * succeed say whether they held.
 *
 *     npm run trial -- hostile [--only NAME,NAME] [--program dist/main.js] [--times 2] [--seconds 7] [--limit 60]
 *
 * Linux only. An attack that goes on after the limit of seconds is ended. Exits with 1 when a service died, or an attack succeeded
 * that must not.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { quantile } from '../test/support/figures.ts';
import { Answers, type Attack, type Go, pause } from './hostile/attack.ts';
import { ADMINISTRATOR_ATTACKS } from './hostile/attacks/administrators.ts';
import { BOUNDARY_ATTACKS } from './hostile/attacks/boundaries.ts';
import { CONNECTION_ATTACKS } from './hostile/attacks/connections.ts';
import { CREDENTIAL_ATTACKS } from './hostile/attacks/credentials.ts';
import { EDGE_ATTACKS } from './hostile/attacks/edge.ts';
import { LOG_ATTACKS } from './hostile/attacks/log-lines.ts';
import { PATTERN_ATTACKS } from './hostile/attacks/patterns.ts';
import { READ_ATTACKS } from './hostile/attacks/reads.ts';
import { SECONDARY_ATTACKS } from './hostile/attacks/secondaries.ts';
import { SET_ATTACKS } from './hostile/attacks/sets.ts';
import { WRITE_ATTACKS } from './hostile/attacks/writes.ts';
import { ZONE_FILE_ATTACKS } from './hostile/attacks/zone-files.ts';
import { Others, type Seen } from './hostile/others.ts';
import { makeZone, openSite, type Site } from './hostile/site.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    program: { type: 'string', default: 'dist/main.js' },
    times: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '7' },
    limit: { type: 'string', default: '60' },
  },
});
const [times, seconds, limit] = [options.times, options.seconds, options.limit].map(Number) as [
  number,
  number,
  number,
];
const WARM_UP = 1500;
const DIED = 'the service died';
const BROKEN = 'DID NOT HOLD: ';
const FAILURES = [DIED, BROKEN];

const ATTACKS: readonly Attack[] = [
  ...READ_ATTACKS,
  ...ZONE_FILE_ATTACKS,
  ...WRITE_ATTACKS,
  ...SET_ATTACKS,
  ...CONNECTION_ATTACKS,
  ...EDGE_ATTACKS,
  ...CREDENTIAL_ATTACKS,
  ...BOUNDARY_ATTACKS,
  ...LOG_ATTACKS,
  ...PATTERN_ATTACKS,
  ...SECONDARY_ATTACKS,
  ...ADMINISTRATOR_ATTACKS,
];

interface Measured {
  readonly idle: Seen;
  readonly attacked: Seen;
  readonly largestTurn: number;
  readonly memory: number;
  readonly answer: string;
}

/** Until others have asked enough and the attack is over, or the time is. */
async function attackOn(site: Site, go: Go, holds: Attack['holds']): Promise<string> {
  const answers = new Answers();
  const began = performance.now();
  const passed = () => (performance.now() - began) / 1000;
  const over = pause(limit * 1000).then(() => `did not end in ${limit} s`);
  async function rounds(): Promise<string> {
    for (let round = 0; round === 0 || (passed() < seconds && site.isAlive()); round += 1) {
      await go(answers, round);
    }
    await pause(Math.max(0, seconds - passed()) * 1000);
    return '';
  }
  const end = await Promise.race([rounds(), over]);
  if (!site.isAlive()) return `${DIED} (${answers})`;
  const verdict = holds === undefined ? '' : holds(answers) ? 'held: ' : BROKEN;
  return end === '' ? `${verdict}${answers}` : `${end} (${answers})`;
}

async function measure({ environment = {}, holds, prepare }: Attack): Promise<Measured> {
  const variables = typeof environment === 'function' ? await environment() : environment;
  const site = await openSite(resolve(options.program), variables);
  await site.allow('other', { zones: -1 });
  const zone = await makeZone(site.client('other'), 'other.example.');
  const others = new Others({ url: site.service.url, token: site.token('other'), zone });
  try {
    const go = await prepare(site);
    await others.askDuring(() => pause(WARM_UP));
    const idle = await others.askDuring(() => pause(seconds * 1000));
    site.probe.reset(site.service.pid);
    let answer = '';
    const attacked = await others.askDuring(async () => {
      answer = await attackOn(site, go, holds);
    });
    const memory = site.mostMemory();
    return { idle, attacked, largestTurn: site.probe.largestTurn, memory, answer };
  } finally {
    await others.stop();
    await site.remove();
  }
}

const p99 = (samples: readonly number[]): number => quantile(samples, 0.99);

function cells(all: readonly Measured[], kind: 'reads' | 'creates'): string[] {
  const [idle, attacked] = (['idle', 'attacked'] as const).map((when) =>
    p99(all.flatMap((one) => one[when][kind])),
  );
  return [idle!.toFixed(1), attacked!.toFixed(1), (attacked! / idle!).toFixed(1)];
}

function row({ title }: Attack, all: readonly Measured[]): string[] {
  const failed = all.reduce((sum, { attacked }) => sum + attacked.failed, 0);
  return [
    title,
    ...cells(all, 'reads'),
    ...cells(all, 'creates'),
    String(failed),
    Math.max(...all.map(({ largestTurn }) => largestTurn)).toFixed(0),
    String(Math.max(...all.map(({ memory }) => memory))),
    all.at(-1)!.answer,
  ];
}

const HEAD = [
  'attack',
  'reads idle, ms',
  'attacked, ms',
  'ratio',
  'creates idle, ms',
  'attacked, ms',
  'ratio',
  'failed',
  'largest turn, ms',
  'memory, MB',
  'answers to the attack',
];
const line = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`);
line(HEAD);
line(HEAD.map(() => '---'));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
const only = options.only?.split(',');
for (const attack of ATTACKS) {
  if (only !== undefined && !only.some((name) => attack.name.includes(name))) continue;
  const all: Measured[] = [];
  try {
    while (all.length < times) all.push(await measure(attack));
    line(row(attack, all));
    if (all.some(({ answer }) => FAILURES.some((one) => answer.startsWith(one)))) process.exitCode = 1;
  } catch (error) {
    line([attack.title, `could not be tried: ${(error as Error).message.slice(0, 200)}`]);
    process.exitCode = 1;
  }
}
process.exit();
