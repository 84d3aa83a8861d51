/** A thread that sends UPDATE messages with unknown keys from many addresses at a steady rate, until it is told to stop. */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { signMessage } from '../../src/dns/wire/tsig.ts';
import type { Address } from '../../test/support/dns-client.ts';
import { add, updateOctets } from '../../test/support/updates.ts';

const SENDERS = 390;
const PER_SECOND = 400;
/** In milliseconds. */
const STEP = 10;

async function openSender(place: number): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, `127.9.${place >> 7}.${1 + (place & 127)}`);
  await once(socket, 'listening');
  return socket;
}

function messageOf(count: number): Buffer {
  const zone = 'zone-0.example.';
  const octets = updateOctets({ zone, updates: [add(`host-0.${zone}`, 'A', 60, '192.0.2.1')] });
  const key = { name: `unknown-${count}.`, algorithm: 'hmac-sha256', secret: Buffer.alloc(32) } as const;
  return signMessage(octets, key, { time: Math.floor(Date.now() / 1000) }).message;
}

async function flood({ host, port }: Address): Promise<number> {
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
  });
  const senders = await Promise.all(Array.from({ length: SENDERS }, (_, place) => openSender(place)));
  parentPort!.postMessage('ready');
  const begun = performance.now();
  let sent = 0;
  while (!isOver) {
    for (const due = ((performance.now() - begun) / 1000) * PER_SECOND; sent < due; sent += 1)
      senders[sent % SENDERS]!.send(messageOf(sent), port, host);
    await setTimeout(STEP);
  }
  for (const sender of senders) sender.close();
  return sent;
}

/** Does the work beside the flood. @returns also how many messages were sent */
export async function besideStrangers<T>(
  primary: Address,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly sent: number }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: primary });
  await once(worker, 'message');
  const done = await work();
  worker.postMessage('stop');
  const [sent] = await once(worker, 'message');
  return { done, sent };
}

if (parentPort !== null && workerData !== null) parentPort.postMessage(await flood(workerData));
