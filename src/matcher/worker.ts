/** The worker thread that finishes long checks, one after the other. */
import { parentPort } from 'node:worker_threads';
import { finishCheck, type LongCheck } from './pattern-index.ts';

parentPort?.on('message', (rest: LongCheck) => parentPort?.postMessage(finishCheck(rest)));
