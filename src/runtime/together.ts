/**
 * The results of all steps, each started before the previous one has ended. If steps fail, it throws the first failure
 * once all have ended: none is still in flight then.
 */
export async function together<T extends readonly unknown[]>(
  ...steps: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const ends = await Promise.allSettled(steps);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
