/** Refreshes one secondary zone: RFC 1034 section 4.3.5, RFC 1995, RFC 5936. */

import { TYPE } from '../../dns/record-types.ts';
import { isLaterSerial } from '../../dns/serial.ts';
import { CLASS, OPCODE } from '../../dns/wire/codes.ts';
import { type TsigSecret, TsigStreamVerifier } from '../../dns/wire/tsig.ts';
import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import {
  type DueSecondary,
  type IncomingSoa,
  type IncomingTransfer,
  type Secondaries,
  TransferFault,
} from '../../model/secondaries/secondary.ts';
import { wireKeyOf } from '../../model/tsig-keys/wire-key.ts';
import type { Log } from '../../runtime/log.ts';
import type { Semaphore } from '../../runtime/semaphore.ts';
import type { DnsClient } from '../worker/dns-client.ts';
import { dnsQuery, randomId } from '../worker/dns-query.ts';
import { BrokenTransfer } from './broken-transfer.ts';
import { MasterConnection } from './master-connection.ts';
import { askSoa } from './master-soa.ts';
import { readTransfer } from './read-transfer.ts';
import type { TransferBounds } from './settings.ts';

export interface RefreshDeps {
  readonly secondaries: Pick<Secondaries, 'take' | 'current' | 'failed'>;
  readonly exchanges: DnsClient;
  readonly places: Semaphore;
  readonly bounds: TransferBounds;
  readonly log: Log;
}

/**
 * Result for one master. `taken`: its zone was stored, with this serial. `current`: it has nothing later than the
 * stored serial.
 */
type MasterState =
  | { readonly kind: 'taken'; readonly serial: number }
  | { readonly kind: 'current'; readonly soa: IncomingSoa };

type TransferType = typeof TYPE.AXFR | typeof TYPE.IXFR;

/** No place for a transfer became free: the zone stays claimed, and is due again later. */
class NoPlace extends Error {}

/** A transfer of at most this many octets costs no more than a UDP response. */
const CHEAP_OCTETS = 4096;

const ANY_SERIAL = '. .';

function wireKey({ key }: DueSecondary): TsigSecret | undefined {
  return key === null ? undefined : wireKeyOf(key);
}

/** The refresh of one zone. */
class Refresh {
  readonly #deps: RefreshDeps;
  readonly #zone: DueSecondary;
  readonly #key: TsigSecret | undefined;
  readonly #signal: AbortSignal;
  /** True once a transfer has cost more than CHEAP_OCTETS. */
  #isCostly = false;

  constructor(deps: RefreshDeps, zone: DueSecondary, signal: AbortSignal) {
    this.#deps = deps;
    this.#zone = zone;
    this.#key = wireKey(zone);
    this.#signal = signal;
  }

  /** Returns the new serial, if the zone was transferred. */
  async run(): Promise<number | undefined> {
    try {
      return await this.#askAll();
    } catch (error) {
      // A transfer that the zones refuse would be refused from any master.
      if (!(error instanceof TransferFault) || this.#signal.aborted) throw error;
      await this.#fail(error.message, false);
      return undefined;
    }
  }

  /** Asks one master after another until one has a later serial. */
  async #askAll(): Promise<number | undefined> {
    const { secondaries } = this.#deps;
    const faults: string[] = [];
    let known: IncomingSoa | undefined;
    for (const master of this.#zone.masters) {
      const found = await this.#try(master, faults);
      if (found?.kind === 'taken') return found.serial;
      this.#signal.throwIfAborted();
      // A master with the stored serial takes precedence over one with an older serial.
      if (found !== undefined && known?.serial !== this.#zone.serial) known = found.soa;
    }
    if (known === undefined) await this.#fail(faults.join(' '), true);
    else await secondaries.current(this.#zone, known);
    return undefined;
  }

  #fail(reason: string, isOfMasters: boolean): Promise<void> {
    return this.#deps.secondaries.failed(this.#zone, { reason, isOfMasters, isCostly: this.#isCostly });
  }

  /** Returns the result of a master; undefined if it failed, with the reason added to `faults`. */
  async #try(master: ServerAddress, faults: string[]): Promise<MasterState | undefined> {
    try {
      return await this.#ask(master);
    } catch (error) {
      if (!(error instanceof BrokenTransfer)) throw error;
      faults.push(`Master ${formatAddress(master)}: ${error.message}`);
      return undefined;
    }
  }

  async #ask(master: ServerAddress): Promise<MasterState> {
    const { exchanges } = this.#deps;
    const { name, serial, wantsWhole } = this.#zone;
    const soa = await askSoa(exchanges, { master, name, key: this.#key }, this.#signal);
    const isLater = serial === null || wantsWhole || isLaterSerial(soa.serial, serial);
    return isLater ? this.#withPlace(master) : { kind: 'current', soa };
  }

  async #withPlace(master: ServerAddress): Promise<MasterState> {
    const release = await this.#deps.places.take(this.#zone.projectId, master.host);
    if (release === undefined) throw new NoPlace();
    try {
      return await this.#transfer(master);
    } finally {
      release();
    }
  }

  /** Tries IXFR if a serial is stored, and AXFR if there is none or the differences fail or do not fit. */
  async #transfer(master: ServerAddress): Promise<MasterState> {
    const { serial, wantsWhole } = this.#zone;
    if (serial === null || wantsWhole) return this.#whole(master);
    try {
      return (await this.#fetch(master, TYPE.IXFR)) ?? (await this.#whole(master));
    } catch (error) {
      if (!(error instanceof BrokenTransfer) || !error.mayComeWhole || this.#signal.aborted) throw error;
      this.#deps.log.debug({ zone: this.#zone.name, reason: error.message }, 'IXFR failed: trying AXFR');
      return this.#whole(master);
    }
  }

  async #whole(master: ServerAddress): Promise<MasterState> {
    const found = await this.#fetch(master, TYPE.AXFR);
    if (found !== undefined) return found;
    throw new BrokenTransfer('The server sends a zone that cannot be stored.');
  }

  /** Returns undefined if the transfer does not fit the stored zone. */
  async #fetch(master: ServerAddress, type: TransferType): Promise<MasterState | undefined> {
    const { bounds, log } = this.#deps;
    const startedAt = performance.now();
    const connection = await MasterConnection.open(master, bounds, this.#signal);
    try {
      const transfer = await this.#read(connection, type);
      if (transfer.kind === 'current') return transfer;
      if ((await this.#take(transfer)) === 'misfit') return undefined;
      const ms = Math.round(performance.now() - startedAt);
      const { kind, soa } = transfer;
      const fields = { zone: this.#zone.name, serial: soa.serial, kind, octets: connection.octets, ms };
      log.info({ ...fields, master: formatAddress(master) }, 'transferred a secondary zone');
      return { kind: 'taken', serial: soa.serial };
    } finally {
      this.#isCostly ||= connection.octets > CHEAP_OCTETS;
      connection.close();
    }
  }

  #read(connection: MasterConnection, type: TransferType): ReturnType<typeof readTransfer> {
    const { name, serial } = this.#zone;
    const question = { name, type, class: CLASS.IN };
    const rdata = `${ANY_SERIAL} ${serial} 0 0 0 0`;
    const authority = type === TYPE.IXFR ? [{ name, type: TYPE.SOA, class: CLASS.IN, ttl: 0, rdata }] : [];
    const asked = dnsQuery(randomId(), OPCODE.QUERY, question, this.#key, { authority });
    connection.send(asked.bytes);
    const verifier = this.#key && asked.mac && new TsigStreamVerifier(this.#key, asked.mac);
    return readTransfer(
      connection.messages(),
      { id: asked.id, question, verifier, serial: type === TYPE.IXFR ? serial! : undefined },
      this.#deps.bounds,
    );
  }

  #take(transfer: IncomingTransfer): Promise<'taken' | 'misfit'> {
    const { serial, wantsWhole } = this.#zone;
    const isLater = serial === null || wantsWhole || isLaterSerial(transfer.soa.serial, serial);
    if (isLater) return this.#deps.secondaries.take(this.#zone, transfer);
    throw new BrokenTransfer(
      `The server sends serial ${transfer.soa.serial}, which is not later than ${serial}, although it has just reported a later one: are there several servers behind its address?`,
    );
  }
}

/**
 * Asks the masters of a zone and stores the result.
 * @param signal aborts the refresh; nothing is then written
 * @returns the new serial, if the zone was transferred
 */
export async function refresh(
  deps: RefreshDeps,
  zone: DueSecondary,
  signal: AbortSignal,
): Promise<number | undefined> {
  try {
    return await new Refresh(deps, zone, signal).run();
  } catch (error) {
    if (error instanceof NoPlace) return undefined;
    throw error;
  }
}
