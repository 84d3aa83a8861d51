/** The masters of the secondary zones of a history: two, which serve the same version of each zone. */
import { TYPE } from '../../src/dns/record-types.ts';
import { openMaster, record, soaRecord, type TransferSession } from '../../test/support/scripted-master.ts';

/** How many records each recordset has. */
type Sizes = readonly number[];

interface Version {
  readonly serial: number;
  readonly sizes: Sizes;
}

export interface HistoryMasters {
  readonly addresses: readonly [string, string];
  /** Serves the next version of a zone, and returns its serial. */
  serve(name: string, sizes: Sizes): number;
  /** Serves the version before it again. */
  takeBack(name: string): void;
  close(): Promise<void>;
}

function recordsOf(name: string, { sizes }: Version) {
  return sizes.flatMap((size, place) =>
    Array.from({ length: size }, (_, last) => record(`r${place}.${name}`, TYPE.A, `192.0.2.${last + 1}`)),
  );
}

function difference(name: string, from: Version, to: Version) {
  const known = new Set(recordsOf(name, from).map((one) => `${one.name} ${one.rdata}`));
  return recordsOf(name, to).filter((one) => !known.has(`${one.name} ${one.rdata}`));
}

export async function openHistoryMasters(): Promise<HistoryMasters> {
  const versions = new Map<string, { before: Version; now: Version }>();
  const soaOf = (name: string) => soaRecord(name, versions.get(name)!.now.serial);

  function transfer(session: TransferSession): void {
    const { name } = session.question;
    const { before, now } = versions.get(name)!;
    const soa = soaOf(name);
    const whole = [soa, record(name, TYPE.NS, 'ns1.example.'), ...recordsOf(name, now), soa];
    const removed = [soaRecord(name, before.serial), ...difference(name, now, before)];
    const steps = [soa, ...removed, soa, ...difference(name, before, now), soa];
    // Both ways have their own checks: every second version comes as differences.
    const hasSteps = session.isIxfr && session.serial === before.serial && now.serial % 2 === 0;
    session.send(hasSteps ? steps : whole);
  }

  const masters = [await openMaster(), await openMaster()];
  for (const master of masters) {
    master.soa = (name) => [soaOf(name)];
    master.transfer = transfer;
  }
  const [one, other] = masters.map(({ host, port }) => `${host}:${port}`);
  return {
    addresses: [one!, other!],
    serve(name, sizes) {
      const before = versions.get(name)?.now ?? { serial: 0, sizes: [] };
      const now = { serial: before.serial + 1, sizes };
      versions.set(name, { before, now });
      return now.serial;
    },
    takeBack(name) {
      const { before } = versions.get(name)!;
      versions.set(name, { before, now: before });
    },
    async close() {
      for (const master of masters) await master.close();
    },
  };
}
