import { describe, expect, it } from 'vitest';
import { zonewarden } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';

describe('a command line that makes no sense ends with 2 and one line', () => {
  it.each<[string, string[], RegExp]>([
    ['options and no command', ['--log-level', 'warn'], /no command given/],
    ['a group without a command', ['token'], /no command given/],
    ['an unknown command', ['serv'], /unknown command 'serv' \(Did you mean serve\?\)/],
    ['an unknown command of a group', ['token', 'creat'], /unknown command 'creat'/],
    [
      'a misspelt option that is required',
      ['token', 'create', '--porject=x', '--role', 'member'],
      /unknown option '--porject' \(Did you mean --project\?\)/,
    ],
    [
      'a misspelt option',
      ['token', 'list', '--confg', 'x'],
      /unknown option '--confg' \(Did you mean --config\?\)/,
    ],
    ['an unknown option', ['token', 'list', '--al'], /unknown option '--al'/],
    ['an argument too many', ['blacklist', 'test', 'a.', 'b.'], /too many arguments/],
    ['an argument too few', ['blacklist', 'import'], /missing required argument 'file'/],
    ['an option without its value', ['--config'], /option '--config <file>' argument missing/],
    ['a log level that is none', ['--log-level', 'loud', 'serve'], /'loud' is invalid.*trace, debug, info/],
    ['a token for no project', ['token', 'create', '--role', 'member'], /'--project <id>' not specified/],
    ['a token without a role', ['token', 'create', '--project', 'p'], /'--role <role>' not specified/],
  ])('%s', async (_what, args, line) => {
    const { status, out, err } = await runHere(args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^zonewarden: [^\n]+\n$/);
    expect(err).toMatch(line);
  });
});

it('serves when nothing is given', async () => {
  expect(await runHere([])).toMatchObject({ status: 0, out: 'served\n', err: '' });
});

it('serves with the options given before or after the command', async () => {
  expect(await runHere(['--log-level', 'warn', 'serve'])).toMatchObject({ status: 0, out: 'served\n' });
  expect(await runHere(['serve', '--log-level', 'warn'])).toMatchObject({ status: 0, out: 'served\n' });
});

it('as a process, too, ends with 2, nothing on standard output and one line on standard error', async () => {
  const { status, out, err } = await zonewarden(['nonsense']);
  expect({ status, out, err }).toEqual({
    status: 2,
    out: '',
    err: "zonewarden: unknown command 'nonsense'\n",
  });
});

it('prints help and version on standard output and ends with 0', async () => {
  const help = await zonewarden(['--help']);
  expect(help).toMatchObject({ status: 0, err: '' });
  expect(help.out).toMatch(/^Usage: zonewarden/);
  const ofToken = await zonewarden(['token', 'create', '--help']);
  expect(await zonewarden(['help', 'token', 'create'])).toEqual(ofToken);
  expect(ofToken).toMatchObject({ status: 0, err: '' });
  expect(ofToken.out).toContain('--expires <when>');
  const version = await zonewarden(['--version']);
  expect(version).toMatchObject({ status: 0, err: '', out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});
