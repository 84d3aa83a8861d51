/** A hidden primary over zones in memory. */
import { onTestFinished } from 'vitest';
import { RCODE } from '../../src/dns/wire/codes.ts';
import { type TsigSecret as WireKey, wireAlgorithm } from '../../src/dns/wire/tsig.ts';
import { systemClock } from '../../src/model/clock.ts';
import type { Pool } from '../../src/model/pools/pool.ts';
import type { TsigKey } from '../../src/model/tsig-keys/tsig-key.ts';
import { openPrimary } from '../../src/publisher/primary/primary.ts';
import type { PrimarySettings } from '../../src/publisher/primary/settings.ts';
import type { CompletedTransfer } from '../../src/publisher/primary/transfers.ts';
import type { Log } from '../../src/runtime/log.ts';
import type { Address } from './dns-client.ts';
import { PublishedZones } from './published-zones.ts';

const SETTINGS: PrimarySettings = {
  listen: [{ host: '127.0.0.1', port: 0 }],
  allowNetworks: [],
  maxUdpQueries: 1000,
  takesUpdates: true,
  failedSignaturesPerSecond: 1000,
  maxConnections: 100,
  maxConnectionsPerClient: 50,
  idleMs: 60_000,
  messageMs: 60_000,
  maxTransfers: 10,
  maxTransfersPerServer: 10,
  maxWaitingTransfers: 10,
  transferWaitMs: 60_000,
  maxTransferMs: 60_000,
  minTransferRate: 1,
  rateWindowMs: 60_000,
};

export interface TestPrimary {
  readonly address: Address;
  readonly addresses: readonly Address[];
  readonly zones: PublishedZones;
  /** What it has been told, and may be changed. */
  readonly known: { pools: Pool[]; keys: TsigKey[]; isAway: boolean };
  readonly completed: CompletedTransfer[];
  readonly failed: { readonly zoneId: string; readonly reason: string }[];
  /** The masters of secondary zones, each with the name of the key that it signs with, and what came of NOTIFY messages. */
  readonly masters: { zone: string; address: string; keyName?: string }[];
  readonly notices: { looks: number; due: number };
  /** What was logged as an error. */
  readonly errors: object[];
  stop(): Promise<void>;
}

/** The key as it signs. */
export const wireKey = ({ name, algorithm, secret }: TsigKey): WireKey => ({
  name: `${name}.`,
  algorithm: wireAlgorithm(algorithm),
  secret: Buffer.from(secret, 'base64'),
});

/** Opens a primary for one test. */
export async function primaryFor(
  known: { readonly pools?: Pool[]; readonly keys?: TsigKey[] },
  settings: Partial<PrimarySettings> = {},
): Promise<TestPrimary> {
  const zones = new PublishedZones();
  const state = { pools: known.pools ?? [], keys: known.keys ?? [], isAway: false };
  const completed: CompletedTransfer[] = [];
  const failed: { zoneId: string; reason: string }[] = [];
  const masters: TestPrimary['masters'] = [];
  const notices = { looks: 0, due: 0 };
  const errors: object[] = [];
  const nothing = () => {};
  const log: Log = { debug: nothing, info: nothing, warn: nothing, error: (fields) => errors.push(fields) };
  const answer = async <T>(value: T): Promise<T> => {
    if (state.isAway) throw new Error('The store is away.');
    return value;
  };
  const primary = await openPrimary(
    {
      publication: zones,
      pools: { all: () => answer(state.pools) },
      tsigKeys: { findByName: (name) => answer(state.keys.find((key) => key.name === name)) },
      updates: {
        apply: async () => ({ rcode: RCODE.NOERROR }),
        find: async () => undefined,
      },
      completed: (transfer) => completed.push(transfer),
      failed: (zoneId, reason) => failed.push({ zoneId, reason }),
      notified: (name, from, keyName) => {
        notices.looks += 1;
        const isOf = (one: (typeof masters)[number]) =>
          one.zone === name && one.address === from && one.keyName === keyName;
        return answer(masters.some(isOf));
      },
      due: () => {
        notices.due += 1;
      },
      log,
      clock: systemClock(),
    },
    { ...SETTINGS, ...settings },
  );
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= primary.stop();
    return stopped;
  };
  onTestFinished(stop);
  const { addresses } = primary;
  const told = { completed, failed, masters, notices, errors };
  return { address: addresses[0]!, addresses, zones, known: state, ...told, stop };
}
