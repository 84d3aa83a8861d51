/**
 * Runs all steps concurrently and returns their results. If a step fails, throws the first failure after all steps
 * have ended, so that nothing is still in flight.
 */
export async function pipelined<T extends readonly unknown[]>(
  ...steps: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const ends = await Promise.allSettled(steps);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
