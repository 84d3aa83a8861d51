import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatchedOutput } from '../../src/assembly/batched-output.ts';
import { until } from '../support/eventually.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'batched-output-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Both ends of a new pipe, neither of which waits. */
function newPipe() {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  const openEnd = (flags: number) => openSync(path, flags | constants.O_NONBLOCK);
  const reader = openEnd(constants.O_RDONLY);
  return { reader, writer: openEnd(constants.O_WRONLY), openReader: () => openEnd(constants.O_RDONLY) };
}

it('goes on once it can be written again, and tells how much was lost', async () => {
  const { reader, writer, openReader } = newPipe();
  const lost: number[] = [];
  const output = new BatchedOutput(writer, (count) => lost.push(count));
  closeSync(reader);
  for (const text of ['one\n', 'two\n']) output.add(text);
  await output.flush();
  output.add('three\n');
  await output.flush();
  expect(lost).toEqual([]);
  const again = openReader();
  output.add('four\n');
  await output.flush();
  const read = Buffer.alloc(100);
  expect(read.toString('utf8', 0, readSync(again, read))).toBe('four\n');
  expect(lost).toEqual([3]);
  closeSync(again);
  closeSync(writer);
});

it('waits for a pipe that is full, and loses nothing', async () => {
  const { reader, writer } = newPipe();
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

it('begins a new line after one that could not be written to its end', async () => {
  const { reader, writer, openReader } = newPipe();
  const lost: number[] = [];
  const output = new BatchedOutput(writer, (count) => lost.push(count));
  // More than the pipe holds.
  output.add(`${'l'.repeat(500_000)}\n`);
  const cut = output.flush();
  await until(() => expect(readSync(reader, Buffer.alloc(1))).toBe(1));
  closeSync(reader);
  await cut;
  const again = openReader();
  const read = Buffer.alloc(1_000_000);
  readSync(again, read);
  output.add('next\n');
  await output.flush();
  expect(read.toString('utf8', 0, readSync(again, read))).toBe('\nnext\n');
  expect(lost).toEqual([1]);
  closeSync(again);
  closeSync(writer);
});
