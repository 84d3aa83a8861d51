import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatchedOutput } from '../../src/assembly/batched-output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batched-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('goes on once there is room again, and tells how much was lost', async () => {
  const descriptor = openSync('/dev/full', 'w');
  const lost: number[] = [];
  const output = new BatchedOutput(descriptor, (count) => lost.push(count));
  for (const text of ['one\n', 'two\n']) output.add(text);
  await output.flush();
  output.add('three\n');
  await output.flush();
  expect(lost).toEqual([]);
  // The next file that is opened gets the same number.
  closeSync(descriptor);
  const file = join(folder, 'log');
  expect(openSync(file, 'w')).toBe(descriptor);
  output.add('four\n');
  await output.flush();
  closeSync(descriptor);
  expect(readFileSync(file, 'utf8')).toBe('four\n');
  expect(lost).toEqual([3]);
});

it('waits for a pipe that is full, and loses nothing', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  const output = new BatchedOutput(writer, () => {
    throw new Error('nothing is lost');
  });
  const fill = Buffer.alloc(65_536, 'f');
  writeSync(writer, fill);
  output.add('at last\n');
  const flushed = output.flush();
  const read = Buffer.alloc(fill.length);
  for (let left = fill.length; left > 0; ) left -= readSync(reader, read, 0, left, null);
  await flushed;
  const length = readSync(reader, read);
  expect(read.toString('utf8', 0, length)).toBe('at last\n');
  closeSync(reader);
  closeSync(writer);
});
