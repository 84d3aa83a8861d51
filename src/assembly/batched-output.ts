import { write, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Text is written together: after this time in milliseconds, or when there are this many characters. */
const WRITE_MS = 100;
const WRITE_CHARACTERS = 8192;
/** If so many characters wait, further ones are lost: the reader is too slow. */
const MAX_WAITING = 1_048_576;
/** Time until a pipe that is full is tried again, in milliseconds, and the number of tries at the exit of the process. */
const PAUSE_MS = 10;
const LAST_TRIES = 100;

const writeSome = promisify(write);

const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN';

/** Returns the number of bytes that were written: not all if a write fails. */
async function writeAll(descriptor: number, bytes: Buffer): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += (await writeSome(descriptor, bytes, done, bytes.length - done, null)).bytesWritten;
    } catch (error) {
      if (!isFull(error)) break;
      await sleep(PAUSE_MS, undefined, { ref: false });
    }
  }
  return done;
}

/**
 * Text for a file or a pipe, written in batches. What cannot be written, as on a full disk, is lost; the next text is
 * tried again. At the exit of the process, what waits is written at once.
 */
export class BatchedOutput {
  readonly #descriptor: number;
  readonly #recovered: (lost: number) => void;
  #waiting: string[] = [];
  #characters = 0;
  #lost = 0;
  /** True if the last line that was written lacks its end. */
  #isCut = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  /** @param recovered called with the number of lost texts once a text is written again */
  constructor(descriptor: number, recovered: (lost: number) => void) {
    this.#descriptor = descriptor;
    this.#recovered = recovered;
    process.on('exit', () => this.#writeLast());
  }

  add(text: string): void {
    if (this.#characters + text.length > MAX_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(text);
    this.#characters += text.length;
    if (this.#characters >= WRITE_CHARACTERS) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), WRITE_MS).unref();
  }

  /** Returns once what waits is written, or lost. Never fails. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeWaiting().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  #take(): readonly string[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#characters = 0;
    return taken;
  }

  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const texts = this.#take();
      const bytes = Buffer.from(`${this.#isCut ? '\n' : ''}${texts.join('')}`);
      const done = await writeAll(this.#descriptor, bytes);
      if (done < bytes.length) {
        this.#isCut ||= done > 0;
        this.#lost += texts.length;
        continue;
      }
      this.#isCut = false;
      const lost = this.#lost;
      this.#lost = 0;
      if (lost > 0) this.#recovered(lost);
    }
  }

  #writeLast(): void {
    let bytes = Buffer.from(this.#take().join(''));
    for (let tries = 0; bytes.length > 0 && tries < LAST_TRIES; tries++) {
      try {
        bytes = bytes.subarray(writeSync(this.#descriptor, bytes));
      } catch (error) {
        if (!isFull(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
      }
    }
  }
}
