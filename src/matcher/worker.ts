/** The worker thread. It keeps the patterns that have to be run prepared, and completes long checks one at a time. */
import { parentPort } from 'node:worker_threads';
import { CandidateRunnerServer } from './runner/server.ts';

if (parentPort !== null) {
  const port = parentPort;
  const server = new CandidateRunnerServer((answer) => port.postMessage(answer));
  port.on('message', (message) => server.take(message));
}
