import type { IncomingHttpHeaders } from 'node:http';
import { EdgeError } from './errors.ts';

/** The maximum number of large bodies at a time: each is held in memory whole. */
const IN_ALL = 4;
const OF_ONE_PROJECT = 2;

/** Whether the headers announce a body larger than this, or one of unknown size. */
export function announcesMoreThan(bytes: number, headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > bytes;
}

/** Bounds the memory of large bodies. No project can take all slots. */
export class LargeBodies {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  /**
   * Takes a slot. Returns the function that releases it, once.
   * @throws EdgeError `too_many_large_bodies` when there is none
   */
  take(projectId: string): () => void {
    const own = this.#takenBy.get(projectId) ?? 0;
    if (this.#taken >= IN_ALL || own >= OF_ONE_PROJECT) throw new EdgeError('too_many_large_bodies');
    this.#taken += 1;
    this.#takenBy.set(projectId, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      const left = this.#takenBy.get(projectId)! - 1;
      if (left === 0) this.#takenBy.delete(projectId);
      else this.#takenBy.set(projectId, left);
    };
  }
}
