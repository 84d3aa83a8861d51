import { connect, type Socket } from 'node:net';
import { Random } from '../../test/support/random.ts';
import { draw, type Ground, type Sent } from './messages.ts';
import type { Tally } from './tally.ts';

const CONNECTIONS = 16;
const MAX_MESSAGES = 8;
/** A connection that is not closed by then is closed from here, in milliseconds. */
const PATIENCE_MS = 10_000;

function framed({ octets }: Sent, lie: number): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Math.min(65_535, Math.max(0, octets.length + lie)));
  return Buffer.concat([length, octets]);
}

/** The messages in what came; the last may be a part of one. */
function* messagesIn(octets: Buffer): Generator<Buffer> {
  for (let at = 0; at + 2 <= octets.length; ) {
    const end = at + 2 + octets.readUInt16BE(at);
    if (end > octets.length) return;
    yield octets.subarray(at + 2, end);
    at = end;
  }
}

/** Looks at the first answer to each message. */
function judge(sent: readonly Sent[], came: Buffer, tally: Tally): void {
  const byId = new Map(sent.map((one, id) => [id, one]));
  for (const answer of messagesIn(came)) {
    const id = answer.length < 2 ? -1 : answer.readUInt16BE(0);
    const asked = byId.get(id);
    if (asked !== undefined) tally.answered(asked, answer, true);
    byId.delete(id);
  }
  for (const _ of byId) tally.unanswered();
}

async function write(socket: Socket, octets: Buffer, random: Random): Promise<void> {
  if (random.chance(0.9) || octets.length < 2) {
    socket.write(octets);
    return;
  }
  // In two parts, with a moment between them.
  const at = 1 + random.below(octets.length - 1);
  socket.write(octets.subarray(0, at));
  await new Promise((resolve) => setTimeout(resolve, random.below(20)));
  socket.write(octets.subarray(at));
}

/** One connection: some messages, of which the last may say that it is longer or shorter; then it is ended, or reset. */
async function converse(random: Random, ground: Ground, port: number, tally: Tally): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);
  const sent: Sent[] = [];
  const count = 1 + random.below(MAX_MESSAGES);
  for (let id = 0; id < count; id += 1) {
    const message = draw(random, ground, true);
    if (message.octets.length >= 2) message.octets.writeUInt16BE(id, 0);
    tally.note(message);
    // Once a length lies, what follows is read as something else, and may have any id.
    if (id === count - 1 && random.chance(0.3)) {
      sent.length = 0;
      socket.write(framed(message, random.below(2000) - 1000));
      break;
    }
    sent.push(message);
    await write(socket, framed(message, 0), random);
  }
  if (random.chance(0.1)) socket.resetAndDestroy();
  else socket.end();
  await closed;
  clearTimeout(timer);
  judge(sent, Buffer.concat(parts), tally);
  return count;
}

/** Sends about so many messages by TCP, over some connections at once. */
export async function sendStreams(
  { seed, ground, port }: { seed: number; ground: Ground; port: number },
  count: number,
  tally: Tally,
): Promise<void> {
  const run = async (random: Random) => {
    for (let done = 0; done < count / CONNECTIONS; ) done += await converse(random, ground, port, tally);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, place) => run(new Random(seed * 2000 + place))));
}
