import { inStoreOf } from '../store.ts';

/** Leaves what goes on beside the requests to a process that does nothing: it would be counted with what requests do. */
export async function leaveWorkToOthers(dataDir: string): Promise<void> {
  const lasting = `update leases set holder = 'another process', held_until = '9999-12-31T00:00:00.000000'`;
  await inStoreOf(dataDir, lasting);
}
