import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { prettyLine } from '../../src/assembly/log.ts';
import { spawnService, temporaryFolder, written } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const TIME = '2026-01-31T12:34:56.789Z';

it('writes a line for people with the time of day, the level, the message and the fields', () => {
  const fields = { method: 'GET', path: '/v2/zones', status: 200, roles: ['admin'], reason: 'not found' };
  expect(prettyLine(JSON.stringify({ level: 30, time: TIME, ...fields, msg: 'request' }))).toBe(
    '12:34:56.789 INFO  request method=GET path=/v2/zones status=200 roles=["admin"] reason="not found"\n',
  );
});

it('writes the stack of an error below its line', () => {
  const err = { type: 'Error', message: 'disk full', stack: 'Error: disk full\n    at write (a.js:1:2)' };
  expect(prettyLine(JSON.stringify({ level: 50, time: TIME, err, msg: 'failed' }))).toBe(
    '12:34:56.789 ERROR failed\n    Error: disk full\n    at write (a.js:1:2)\n',
  );
});

it('writes nothing that a terminal obeys, wherever it stands', () => {
  const evil = '\u001b[2J\r\n\u009b\u202e\u{e0001}';
  const err = { stack: `Error: ${evil}` };
  const line = prettyLine(JSON.stringify({ level: 40, time: TIME, [evil]: evil, err, msg: evil }));
  expect(line.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(line).toContain('WARN  \\u001b[2J\\r\\n\\u009b\\u202e\\udb40\\udc01');
});

it('leaves emoji and Persian words, which are spelt with joiners, as they are', () => {
  const msg = '\u{1f469}\u200d\u{1f4bb} \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645';
  expect(prettyLine(JSON.stringify({ level: 30, time: TIME, msg }))).toBe(`12:34:56.789 INFO  ${msg}\n`);
});

it.each([
  ['auto', /^\{"level":30,.*"msg":"listening"\}\n/m],
  ['json', /^\{"level":30,.*"msg":"listening"\}\n/m],
  ['pretty', /^\d\d:\d\d:\d\d\.\d{3} INFO {2}listening url=http:\S+ version=\S+\n/m],
])('writes the log to a pipe as %s says, to the last line', async (format, listening) => {
  const env = { ZONEWARDEN_DEFAULT__LOG_FORMAT: format };
  const service = spawnService({ dataDir: join(folder.path, format), env });
  await written(service, 'err', listening);
  service.child.kill('SIGTERM');
  const { status, err } = await service.ended;
  expect(status).toBe(0);
  expect(err).toMatch(/ ?stopped.*\n$/);
});
