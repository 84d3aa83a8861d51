import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Finished, spawnService, temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, makeStore, storeOptions } from '../support/store.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

function file(name: string, content: string): string {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
}
const secret = file('secret', `${SECRET}\n`);
const GOOD = `url = https://hooks.example.com/dns?key=geheim\nsecret_file = ${secret}\n`;
const configured = (content: string) => ({ ZONEWARDEN_CONFIG: file('zonewarden.conf', content) });

describe('the configuration of a webhook', () => {
  it('is printed with its defaults, as a file that has the same, but without the query of the URL', async () => {
    const text = `[webhook:billing]\n${GOOD}types = zone.created, recordset.*\n[webhook:audit-2]\n${GOOD}`;
    const first = await runHere(['config', 'print'], configured(text));
    expect(first).toMatchObject({ status: 0, err: '' });
    const blocks = first.out.slice(first.out.indexOf('[webhook:')).split(/^(?=\[)/m);
    expect(blocks.map((block) => block.split('\n', 1)[0])).toEqual([
      '[webhook:audit-2]',
      '[webhook:billing]',
    ]);
    const lines = blocks[1]!.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines).toEqual([
      '[webhook:billing]',
      'url = https://hooks.example.com/dns',
      'types = zone.created, recordset.*',
      `secret_file = ${secret}`,
      'give_up_after = 86400',
      'from = head',
      'timeout = 15',
      'allow_private = false',
      'allow_http = false',
      'cafile =',
      'source =',
    ]);
    const again = await runHere(['config', 'print'], configured(first.out));
    const settings = (text: string) => text.replace(/^#.*\n/gm, '');
    expect([again.status, again.err, settings(again.out)]).toEqual([0, '', settings(first.out)]);
    expect(first.out).not.toContain('geheim');
  });

  it('may stand in the environment, which overrides the file', async () => {
    const environment = {
      ...configured(`[webhook:audit-2]\n${GOOD}timeout = 3\n`),
      ZONEWARDEN_WEBHOOK_AUDIT_2__TIMEOUT: '4',
      ZONEWARDEN_WEBHOOK_OTHER__URL: 'http://127.0.0.1:9000/',
      ZONEWARDEN_WEBHOOK_OTHER__SECRET_FILE: secret,
      ZONEWARDEN_WEBHOOK_OTHER__ALLOW_PRIVATE: 'on',
    };
    const { out } = await runHere(['config', 'print'], environment);
    const lines = out.slice(out.indexOf('[webhook:')).split('\n');
    const kept = lines.filter((line) => /^(\[|timeout|allow_private)/.test(line));
    expect(kept).toEqual([
      '[webhook:audit-2]',
      'timeout = 4',
      'allow_private = false',
      '[webhook:other]',
      'timeout = 15',
      'allow_private = true',
    ]);
  });

  const under = (lines: string, section = '[webhook:x]') => `${section}\n${lines}`;
  it.each<[string, string, RegExp]>([
    [
      'a name with other characters',
      under(GOOD, '[webhook:Über]'),
      /line 2: \[webhook:Über\] is not a valid webhook section/,
    ],
    ['no name', under(GOOD, '[webhook:]'), /line 2: \[webhook:\] is not a valid webhook section/],
    [
      'an unknown option',
      under(`${GOOD}secret = x`),
      /line 4: there is no option secret in section \[webhook:x\]/,
    ],
    ['an option twice', under(`${GOOD}${GOOD}`), /line 4: url is already set in .*line 2/],
    ['no URL', under(`secret_file = ${secret}`), /\[webhook:x\] url is missing/],
    ['no secret', under('url = https://a.example/'), /\[webhook:x\] secret_file is missing/],
    [
      'a URL of another kind',
      under('url = ftp://a.example/'),
      /\[webhook:x\] url cannot be used\. Must be a URL/,
    ],
    [
      'a password in the URL',
      under('url = https://u:geheim@a.example/'),
      /url cannot be used\. .*without user/,
    ],
    ['a fragment', under('url = https://a.example/#x'), /url cannot be used/],
    ['no TLS', under(`url = http://a.example/\nsecret_file = ${secret}`), /\[webhook:x\] url: .*allow_http/],
    ['types that are none', under(`${GOOD}types = Zone.*`), /types cannot be "Zone\.\*"/],
    ['a time that is none', under(`${GOOD}give_up_after = 1d`), /give_up_after cannot be "1d"/],
  ])('that has %s is refused with one line', async (_what, text, line) => {
    const { status, out, err } = await runHere(['config', 'print'], configured(text));
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toMatch(line);
    expect(err).not.toContain('geheim');
  });
});

describe('a service', () => {
  const start = (text: string): Promise<Finished> =>
    spawnService({ dataDir: join(folder.path, 'data'), env: configured(text) }).ended;
  const bad = file('bad', 'whsec_geheim\n');

  it.each<[string, string, RegExp]>([
    [
      'a private address',
      `url = https://10.0.0.1/\nsecret_file = ${secret}`,
      /url: 10\.0\.0\.1 .*set allow_private/,
    ],
    [
      'an address of nobody',
      `url = https://0.0.0.0/\nsecret_file = ${secret}\nallow_private = 1`,
      /url: 0\.0\.0\.0/,
    ],
    [
      'a type that no event has',
      `${GOOD}types = zone.*, zones.made`,
      /types: there is no event type zones\.made/,
    ],
    [
      'no file of secrets',
      'url = https://a.example/\nsecret_file = /nowhere',
      /secret_file: .*cannot be read/,
    ],
    [
      'secrets that are none',
      `url = https://a.example/\nsecret_file = ${bad}`,
      /secret_file: .*bad contains no secrets/,
    ],
    ['no file of authorities', `${GOOD}cafile = /nowhere`, /cafile: the file cannot be read/],
  ])('does not start with %s, and says so in one line', async (_what, lines, expected) => {
    const { status, out, err } = await start(`[webhook:x]\n${lines}\n`);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: \[webhook:x\] [^\n]+\n$/);
    expect(err).toMatch(expected);
    expect(err).not.toContain('geheim');
  });
});

describe('the commands', () => {
  const dataDir = join(folder.path, 'kept');
  const environment = () => ({
    ...storeOptions(dataDir),
    ...configured(`[webhook:new]\n${GOOD}[webhook:other]\n${GOOD}`),
  });
  const webhook = (...args: string[]) => runHere(['webhook', ...args], environment());
  beforeAll(async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    await makeStore(dataDir);
    await inStoreOf(
      dataDir,
      `insert into webhooks values ('gone', 0, 1, 'a', 'the receiver answered 410', 'b', '', 0),
        ('new', 0, 1, 'a', 'the receiver answered 400', 'b', '', 0)`,
    );
    for (const name of ['one', 'two'])
      await runHere(['token', 'create', '--project', name, '--role', 'member'], environment());
  });

  it('list what there is, with what waits for it', async () => {
    const { status, out } = await webhook('list');
    expect(status).toBe(0);
    expect(out.split('\n').slice(1, -1)).toEqual([
      'gone\tunconfigured\t0\t2\t-\tb the receiver answered 410',
      'new\tstopped\t0\t2\t-\tb the receiver answered 400',
      'other\tactive\t2\t0\t-\t-',
    ]);
    const { out: json } = await webhook('list', '--json');
    expect(
      json
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        name: 'gone',
        state: 'unconfigured',
        position: 0,
        waiting: 2,
        delivered_at: null,
        failing_since: 'a',
        last_error: 'the receiver answered 410',
        last_error_at: 'b',
      },
      expect.objectContaining({ name: 'new', state: 'stopped', waiting: 2 }),
      expect.objectContaining({ name: 'other', state: 'active', waiting: 0, last_error: null }),
    ]);
  });

  it('let go on what is stopped, once, and say what is not', async () => {
    expect(await webhook('resume', 'gone')).toEqual({ status: 0, out: 'resumed webhook gone\n', err: '' });
    expect(await webhook('resume', 'gone')).toMatchObject({ status: 2, out: '' });
    expect(await webhook('resume', 'other')).toMatchObject({
      status: 2,
      err: expect.stringMatching(/not stopped/),
    });
    expect(await webhook('resume', 'x')).toMatchObject({
      status: 2,
      err: expect.stringMatching(/^zonewarden: There is no webhook x\. [^\n]+\n$/),
    });
    const { out } = await runHere(['events', '--json', '--type', 'webhook.*'], environment());
    expect(JSON.parse(out)).toMatchObject({
      type: 'webhook.resumed',
      target: { kind: 'webhook', name: 'gone' },
      actor: { kind: 'command' },
    });
  });

  it('pass over what is not taken, once, and say what there is to skip', async () => {
    expect(await webhook('resume', 'new', '--skip')).toEqual({
      status: 0,
      out: 'resumed webhook new; it gets a gap notice for 1 to 1\n',
      err: '',
    });
    for (const [name, why] of [
      ['new', /is not failing/],
      ['other', /is not failing/],
      ['gone', /is not configured/],
      ['x', /There is no webhook x/],
    ] as const)
      expect(await webhook('resume', name, '--skip')).toMatchObject({
        status: 2,
        out: '',
        err: expect.stringMatching(why),
      });
    const { out } = await runHere(['events', '--json', '--type', 'webhook.skipped'], environment());
    expect(JSON.parse(out)).toMatchObject({
      target: { kind: 'webhook', name: 'new' },
      details: { from: 1, to: 1, told: true },
    });
  });

  it('forget what is configured no more, and nothing else', async () => {
    expect(await webhook('forget', 'new')).toMatchObject({
      status: 2,
      out: '',
      err: expect.stringMatching(/is configured: remove its section/),
    });
    expect(await webhook('forget', 'x')).toMatchObject({
      status: 2,
      err: expect.stringMatching(/no webhook x/),
    });
    expect(await webhook('forget', 'gone')).toEqual({ status: 0, out: 'forgot webhook gone\n', err: '' });
    expect((await webhook('list')).out).not.toContain('gone');
    const { out } = await runHere(['events', '--json', '--type', 'webhook.forgotten'], environment());
    expect(JSON.parse(out)).toMatchObject({ target: { name: 'gone' }, details: { position: 0 } });
  });
});
