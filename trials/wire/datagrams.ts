import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { Random } from '../../test/support/random.ts';
import { draw, type Ground, type Sent } from './messages.ts';
import { mayBeAnswered, type Tally } from './tally.ts';

const SOCKETS = 16;
/** An answer that takes longer is lost, in milliseconds. */
const PATIENCE_MS = 5000;
/** Questions in a row without an answer: some datagrams may be lost on a busy machine. */
const MAX_LOST = 100;

/** A message under an id of its own, where it has room for one. */
function numbered(sent: Sent, id: number): Sent {
  if (sent.octets.length >= 2) sent.octets.writeUInt16BE(id, 0);
  return sent;
}

/** Waits for the answer to the message with this id. */
function answerOf(socket: Socket, id: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const end = (answer?: Buffer) => {
      clearTimeout(timer);
      socket.off('message', look);
      resolve(answer);
    };
    const look = (answer: Buffer) => {
      if (answer.length < 2 || answer.readUInt16BE(0) === id) end(answer);
    };
    const timer = setTimeout(end, PATIENCE_MS);
    socket.on('message', look);
  });
}

async function ask(socket: Socket, port: number, id: number, sent: Sent, tally: Tally): Promise<void> {
  tally.note(sent);
  // A datagram without octets ends nothing either.
  const answer = mayBeAnswered(sent.octets) ? answerOf(socket, id) : undefined;
  await new Promise<void>((resolve) => socket.send(sent.octets, port, '127.0.0.1', () => resolve()));
  const came = await answer;
  if (came !== undefined) {
    tally.lost = 0;
    return tally.answered(sent, came, false);
  }
  tally.unanswered();
  if (answer !== undefined && ++tally.lost > MAX_LOST) throw new Error('The hidden primary answers no more.');
}

async function run(random: Random, ground: Ground, port: number, count: number, tally: Tally) {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // What comes when nothing is waited for is answered to a message that must not be.
  socket.on('message', (answer) => {
    if (socket.listenerCount('message') === 1 && answer.length < 12)
      tally.fault('an answer that nobody asked for');
  });
  for (let id = 0; id < count; id += 1) {
    await ask(socket, port, id % 65_536, numbered(draw(random, ground, false), id % 65_536), tally);
  }
  socket.close();
}

/** Sends so many messages by UDP, some at once, each once the one before it was answered. */
export async function sendDatagrams(
  { seed, ground, port }: { seed: number; ground: Ground; port: number },
  count: number,
  tally: Tally,
): Promise<void> {
  const each = Math.ceil(count / SOCKETS);
  const sockets = Array.from({ length: SOCKETS }, (_, place) =>
    run(new Random(seed * 1000 + place), ground, port, each, tally),
  );
  await Promise.all(sockets);
}
