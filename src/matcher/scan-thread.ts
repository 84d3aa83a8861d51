/** The thread that compares single patterns with names; where processors are short, checks of creates go before it. */
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Request } from './scan/messages.ts';
import { Scan } from './scan/scan.ts';

const NICENESS = 10;

// On Linux it is the priority of the calling thread; elsewhere that of the process, which must keep its own.
if (process.platform === 'linux') {
  setPriority(Math.min(getPriority() + NICENESS, constants.priority.PRIORITY_LOW));
}

if (parentPort !== null) {
  const port = parentPort;
  const scan = new Scan();
  port.on('message', (request: Request) => port.postMessage(scan.answerTo(request)));
}
