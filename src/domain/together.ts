/**
 * What all of the steps come to, each begun before the one ahead of it has ended. Where steps fail it throws the first
 * failure, once all have ended: none is still under way then.
 */
export async function together<T extends readonly unknown[]>(
  ...steps: { readonly [K in keyof T]: Promise<T[K]> }
): Promise<T> {
  const ends = await Promise.allSettled(steps);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as T;
}
