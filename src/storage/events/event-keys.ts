import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type EventKey, type EventKeys, eventKeyOf, eventKeysFrom } from '../../model/events/event-key.ts';
import { StorageOpenError } from '../database/storage-errors.ts';

const OWNER_ONLY = 0o600;
const OCTETS = 32;
const KEY = /^[0-9a-f]{64}$/;

export interface EventKeySettings {
  readonly dataDir: string;
  /** '' for `events.key` in the data folder. */
  readonly keyFile: string;
}

function fileOf({ dataDir, keyFile }: EventKeySettings): string {
  return keyFile === '' ? join(dataDir, 'events.key') : keyFile;
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** The keys in a file, one per line, the current one first. */
function keysIn(file: string): readonly EventKey[] {
  const lines = readFileSync(file, 'latin1')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0 || !lines.every((line) => KEY.test(line))) {
    throw new StorageOpenError(
      `The file ${file} contains no event keys. Write 64 hexadecimal digits per line, the current key first, or restore the file.`,
    );
  }
  return lines.map((line) => eventKeyOf(Buffer.from(line, 'hex')));
}

/** Creates the file with a new key, unless another process has just created it. */
function makeFile(file: string): void {
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', OWNER_ONLY);
  try {
    writeSync(descriptor, `${randomBytes(OCTETS).toString('hex')}\n`);
    fsyncSync(descriptor);
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    closeSync(descriptor);
    rmSync(draft, { force: true });
  }
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Returns the keys. Creates the default file if it is missing, but not a file that an option names. */
function makeEventKeys(settings: EventKeySettings): readonly EventKey[] {
  const file = fileOf(settings);
  try {
    return keysIn(file);
  } catch (error) {
    if (!isMissing(error)) throw unusable(file, error);
  }
  if (settings.keyFile !== '') {
    throw new StorageOpenError(
      `The file ${file} does not exist. Write 64 hexadecimal digits to it, for example with: openssl rand -hex 32.`,
    );
  }
  try {
    makeFile(file);
    return keysIn(file);
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): unknown {
  if (error instanceof StorageOpenError) return error;
  return new StorageOpenError(
    `The event key file ${file} cannot be used: ${(error as Error).message}. Check data_dir or [events] key_file.`,
  );
}

/** Returns the keys; none if there is no file. */
function findEventKeys(settings: EventKeySettings): readonly EventKey[] {
  const file = fileOf(settings);
  try {
    return keysIn(file);
  } catch (error) {
    if (isMissing(error)) return [];
    throw unusable(file, error);
  }
}

/**
 * The event keys in their file, which is read on first use.
 * @returns keys whose methods throw StorageOpenError with a one-line message
 */
export function openEventKeys(settings: EventKeySettings): EventKeys {
  return eventKeysFrom({ make: () => makeEventKeys(settings), find: () => findEventKeys(settings) });
}
