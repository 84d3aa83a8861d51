/** Advises on zones whose name servers have a later serial, or whose masters have an earlier one. */
import { isLaterSerial } from '../../dns/serial.ts';
import type { Pool } from '../../model/pools/pool.ts';
import type { Order } from '../../model/publication/publication.ts';
import type { SecondaryState } from '../../model/secondaries/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { isOfEarlierMasters } from '../secondaries/earlier-masters.ts';

/** The serials of a server, as shown. */
interface Serials {
  readonly serial: number | null;
  readonly expectedSerial: number | null;
}

/** The state of a zone: its order and pools, the serials of its servers, and the fault of its masters. */
interface Advised {
  readonly zone: Zone;
  readonly order: Order | undefined;
  readonly pools: readonly Pool[];
  readonly servers: readonly Serials[];
  readonly secondary: Pick<SecondaryState, 'fault'> | undefined;
}

const EARLIER_MASTERS =
  'The masters have an earlier serial than this zone. Raise it there past the serial here, which costs nothing.';
const REFUSED = 'A name server has a later serial of this zone, and refuses earlier ones.';

function isAhead({ serial, expectedSerial }: Serials): boolean {
  return serial !== null && expectedSerial !== null && isLaterSerial(serial, expectedSerial);
}

/**
 * Serials of signing servers cannot be compared. If their order still fails after a retry, the serial of the zone may
 * have gone back.
 */
function mayRefuse(zone: Zone, order: Order, pool: Pool, servers: readonly Serials[]): boolean {
  if (order.isRemoval || order.attempts === 0) return false;
  if (pool.signing) return zone.type === 'SECONDARY' && order.error !== '';
  return servers.some(isAhead);
}

function onTheServer(name: string): string {
  const bare = name.replace(/\.$/, '');
  return `BIND "rndc retransfer ${bare}", Knot "knotc zone-retransfer ${bare}", PowerDNS "pdnsutil set-meta ${bare} IXFR 0 && pdns_control retrieve ${bare}"`;
}

const byHandOf = ({ name }: Zone): string =>
  `Make the server fetch the whole zone again: ${onTheServer(name)}.`;

function adviceOnServers(zone: Zone, pool: Pool): string {
  const why = pool.signing ? 'A name server that signs may have a later serial of this zone.' : REFUSED;
  const command = `"zonewarden publication again ${zone.name} --afresh"`;
  const byHand = byHandOf(zone);
  if (zone.type === 'PRIMARY')
    return `${why} Any record change raises the serial to the current time. If that is not late enough, an administrator can run ${command}. Or: ${byHand}`;
  if (pool.catalogZone === null) return `${why} ${byHand}`;
  return `${why} ${byHand} Or an administrator can do so for all servers of the catalog: ${command}. Servers that sign the zone lose its keys.`;
}

/** How name servers react when the zone takes the earlier serial of its masters. */
function afterTransfer(zone: Zone, pool: Pool | undefined): string {
  if (pool === undefined) return '';
  if (pool.catalogZone === null) return ` Name servers then refuse the earlier serial. ${byHandOf(zone)}`;
  return ' The name servers of the catalog then fetch the whole zone again. Those that sign it lose its keys: first remove its DS record from the parent zone.';
}

function adviceOnMasters(zone: Zone, pool: Pool | undefined): string {
  return `${EARLIER_MASTERS} To accept theirs, POST to /v2/zones/${zone.id}/tasks/xfr.${afterTransfer(zone, pool)}`;
}

/**
 * Advice with the commands to run; undefined if, as far as known, no server refuses the zone and its masters have no
 * earlier serial.
 */
export function publicationAdvice({ zone, order, pools, servers, secondary }: Advised): string | undefined {
  const pool = pools.find(({ id }) => id === order?.poolId);
  if (order !== undefined && pool !== undefined && mayRefuse(zone, order, pool, servers))
    return adviceOnServers(zone, pool);
  if (secondary === undefined || !isOfEarlierMasters(secondary.fault)) return undefined;
  return adviceOnMasters(zone, pool);
}
