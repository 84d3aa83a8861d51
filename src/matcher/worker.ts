/** The worker thread that keeps the patterns that have to be run ready, and ends long checks, one after the other. */
import { parentPort } from 'node:worker_threads';
import { RosterServer } from './roster/server.ts';

if (parentPort !== null) {
  const port = parentPort;
  const server = new RosterServer((answer) => port.postMessage(answer));
  port.on('message', (message) => server.take(message));
}
