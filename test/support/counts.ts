import type { Answer, TestService } from './service.ts';

/** How many answers have each status. */
export const statusesOf = (answers: readonly Pick<Answer, 'status'>[]) =>
  Object.fromEntries(
    [...new Set(answers.map(({ status }) => status))]
      .sort()
      .map((status) => [status, answers.filter((answer) => answer.status === status).length]),
  );

const MAX_BURSTS = 20;

/**
 * Makes bursts of requests until one has taken fewer transactions than requests: those of a burst may come one by one on a
 * machine that does something else. Returns the answers to all bursts, and whether one was such.
 */
export async function burstsUntilShared<A>(
  service: TestService,
  burst: () => readonly Promise<A>[],
): Promise<{ readonly answers: readonly A[]; readonly isShared: boolean }> {
  const answers: A[] = [];
  for (let made = 0; made < MAX_BURSTS; made++) {
    const before = await committedBy(service);
    const some = await Promise.all(burst());
    answers.push(...some);
    if ((await committedBy(service)) - before < some.length) return { answers, isShared: true };
  }
  return { answers, isShared: false };
}

/** How many transactions a service has committed. */
async function committedBy(service: TestService): Promise<number> {
  const { text } = await service.request('GET', '/metrics', { token: service.admin });
  const line = /^zonewarden_transaction_duration_seconds_count\{outcome="committed"\} (\d+)/m.exec(text);
  return Number(line![1]);
}
