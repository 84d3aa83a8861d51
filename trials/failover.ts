/**
 * Fail-overs under load: of two PostgreSQL servers of its own the primary is killed (SIGKILL), the synchronous standby
 * promoted, and everything that was acknowledged looked up. The exit status is 1 when anything was lost or is not whole,
 * or when writes took longer than 10 s to flow again.
 *
 *     npm run trial -- failover [--rounds 5]
 */
import { parseArgs } from 'node:util';
import { failOver } from './failover/fail-over.ts';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const MAX_MS = 10_000;

let isRight = true;
let acknowledged = 0;
let lost = 0;
let slowestMs = 0;
for (let round = 1; round <= Number(options.rounds); round++) {
  const figures = await failOver();
  acknowledged += figures.acknowledged;
  lost += figures.lost.length;
  slowestMs = Math.max(slowestMs, figures.resumedAfterMs);
  const seconds = (figures.resumedAfterMs / 1000).toFixed(2);
  process.stdout.write(
    `${round}: ${figures.acknowledged} acknowledged, ${figures.lost.length} lost, ${figures.refused} refused with 503, ` +
      `writes again ${seconds} s after the promotion; ${figures.verified.out}`,
  );
  for (const name of figures.lost) process.stdout.write(`LOST ${name}\n`);
  for (const status of figures.others) process.stdout.write(`FAULT an answer with the status ${status}\n`);
  isRight &&= figures.lost.length + figures.others.length === 0 && figures.verified.status === 0;
}
process.stdout.write(
  `${options.rounds} fail-overs: ${acknowledged} acknowledged, ${lost} lost, writes again after ${(slowestMs / 1000).toFixed(2)} s at the most\n`,
);
process.exit(isRight && slowestMs <= MAX_MS ? 0 : 1);
