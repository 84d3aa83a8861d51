import { lookup } from 'node:dns/promises';
import { isLaterSerial } from '../../dns/serial.ts';
import type { ServerAddress } from '../../model/pools/pool.ts';
import type { PublicationReads } from '../../model/publication/store.ts';

const MAPPED = /^::ffff:/i;

/**
 * Returns the newest serial of a zone that a server has fully transferred. Transfers are matched by the server's
 * address, from any port.
 */
export async function newestTransfer(
  publication: Pick<PublicationReads, 'transferred'>,
  zoneId: string,
  { host }: ServerAddress,
): Promise<number | undefined> {
  const transfers = await publication.transferred(zoneId);
  if (transfers.length === 0) return undefined;
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const isFrom = (server: string) => addresses.some(({ address }) => address === server.replace(MAPPED, ''));
  const serials = transfers.filter(({ server }) => isFrom(server)).map(({ serial }) => serial);
  return serials.reduce<number | undefined>(
    (newest, serial) => (newest === undefined || isLaterSerial(serial, newest) ? serial : newest),
    undefined,
  );
}
