import type { IncomingHttpHeaders } from 'node:http';
import { EdgeError } from './errors.ts';
import { Slots } from './slots.ts';

/** The maximum number of large bodies at a time: each is held in memory whole. */
const LARGE_BODIES = { inAll: 4, ofOneProject: 2 };

/** Whether the headers announce a body larger than this, or one of unknown size. */
export function announcesMoreThan(bytes: number, headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > bytes;
}

/** The slots of large bodies. */
export class LargeBodies extends Slots {
  constructor() {
    super(LARGE_BODIES, () => new EdgeError('too_many_large_bodies'));
  }
}
