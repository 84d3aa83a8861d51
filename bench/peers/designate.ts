/** Designate's API and central in one process, as Debian has them, without authentication, message broker and worker. */
import { startDesignate as startRealDesignate } from '../../test/support/designate/real.ts';
import { designateApi } from './designate-api.ts';
import type { Peer } from './peer.ts';

/** @param database a connection string; undefined for a database of SQLite */
export async function startDesignate(database: string | undefined): Promise<Peer> {
  const { url, pid, stop } = await startRealDesignate(0, database);
  const headers = { 'x-auth-project-id': 'measured' };
  return designateApi({ title: 'Designate', url, headers, pid, remove: stop });
}
