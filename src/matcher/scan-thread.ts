/**
 * Niceness of the thread that matches single patterns, so that checks of creates take precedence when CPU is scarce.
 */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { ScanRequest } from './scan/messages.ts';
import { Scan } from './scan/scan.ts';

const NICENESS = 10;

// On Linux, this sets the priority of the calling thread. Elsewhere it would set that of the process, which must not
// change.
if (process.platform === 'linux') {
  setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
}

if (parentPort !== null) {
  const port = parentPort;
  const scan = new Scan();
  port.on('message', (request: ScanRequest) => port.postMessage(scan.answerTo(request)));
}
