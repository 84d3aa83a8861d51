import { afterEach, beforeEach, expect, it } from 'vitest';
import { spawnService, startProcess, temporaryFolder } from '../support/process.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** What a service has logged that answered one request and stopped. */
async function logged(args: readonly string[], byOption: string): Promise<string> {
  const env = { ZONEWARDEN_DEFAULT__LOG_LEVEL: byOption };
  const service = await startProcess({ dataDir: folder.path, args, env });
  expect((await service.request('GET', '/v2/zones', { token: service.admin })).status).toBe(200);
  const { status, err } = await service.end();
  expect(status).toBe(0);
  return err;
}

it.each(['warn', 'error', 'fatal', 'silent'])(
  '--log-level %s: nothing of what is usual is logged',
  async (level) => {
    expect(await logged(['--log-level', level], 'trace')).toBe('');
  },
);

it.each(['trace', 'debug', 'info'])('--log-level %s: every request is logged', async (level) => {
  expect(await logged(['--log-level', level], 'silent')).toMatch(/"path":"\/v2\/zones","status":200/);
});

it('--log-level debug: each change of a zone is logged, which info leaves out', async () => {
  for (const [level, shown] of [
    ['debug', ['zone.created']],
    ['info', []],
  ] as const) {
    const service = await startProcess({ dataDir: folder.path, args: ['--log-level', level] });
    expect((await service.create(`${level}.example.`)).status).toBe(202);
    await service.end();
    const events = service.log.map(({ event }) => event).filter((event) => event !== undefined);
    expect(events).toEqual(shown);
  }
});

it('without --log-level the option holds', async () => {
  expect(await logged([], 'warn')).toBe('');
});

it('--log-level: the service does not start with a level that there is not', async () => {
  const service = spawnService({ dataDir: folder.path, args: ['--log-level', 'loud'] });
  const { status, out, err } = await service.ended;
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(err).toMatch(/^zonewarden: [^\n]*--log-level[^\n]*\n$/);
});
