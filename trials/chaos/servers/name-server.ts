import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encodeAsk, exchange } from '../../../test/support/dns-client.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { freePort } from '../../../test/support/free-port.ts';
import type { Ledger } from '../ledger.ts';

/** A key as the configuration of a server and the API have it. */
export interface SharedKey {
  readonly name: string;
  readonly algorithm: 'hmac-sha256';
  /** Base64. */
  readonly secret: string;
}

export const CATALOG = 'catalog.invalid';

interface Place {
  readonly index: number;
  readonly folder: string;
  readonly key: SharedKey;
  /** Ports of the hidden primaries. */
  readonly primaries: readonly number[];
  readonly ledger: Ledger;
}

/** Debian keeps it where a user's PATH does not lead. */
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export function hasNameServer(): boolean {
  return spawnSync('named', ['-V'], { env: ENVIRONMENT }).status === 0;
}

function configuration({ folder, key, primaries }: Place, port: number): string {
  const from = primaries.map((primary) => `127.0.0.1 port ${primary} key "${key.name}";`).join(' ');
  return `
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
controls { };
options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify no; allow-new-zones yes; allow-transfer { key "${key.name}"; };
  serial-query-rate 1000; min-refresh-time 2; min-retry-time 1; transfers-in 100; transfers-per-ns 100;
  catalog-zones {
    zone "${CATALOG}" default-primaries { ${from} } in-memory no zone-directory "${folder}" min-update-interval 0;
  };
};
zone "${CATALOG}" {
  type secondary; primaries { ${from} }; file "catalog.db"; allow-notify { key "${key.name}"; };
};
`;
}

/** A BIND that has its zones from the catalog, in a folder of its own, on a port that it keeps over its lives. */
export class NameServer {
  readonly index: number;
  readonly port: number;
  readonly #folder: string;
  readonly #ledger: Ledger;
  #child: ChildProcess | undefined;
  #isWanted = false;

  private constructor({ index, folder, ledger }: Place, port: number) {
    this.index = index;
    this.port = port;
    this.#folder = folder;
    this.#ledger = ledger;
  }

  static async make(place: Place): Promise<NameServer> {
    const port = await freePort();
    mkdirSync(place.folder, { recursive: true });
    writeFileSync(join(place.folder, 'named.conf'), configuration(place, port));
    return new NameServer(place, port);
  }

  /** Starts it, without waiting until it answers. */
  start(): void {
    const log = openSync(join(this.#folder, 'log'), 'a');
    const args = ['-g', '-n', '1', '-c', join(this.#folder, 'named.conf')];
    const child = spawn('named', args, { env: ENVIRONMENT, stdio: ['ignore', 'ignore', log] });
    closeSync(log);
    this.#child = child;
    this.#isWanted = true;
    child.once('exit', (status, signal) => {
      this.#ledger.write({ ended: `name server ${this.index}`, status, signal });
      if (this.#isWanted)
        this.#ledger.fault('exited by itself', `name server ${this.index}: ${status ?? signal}`);
    });
  }

  /** Waits until it answers questions. */
  async answers(): Promise<void> {
    const address = { host: '127.0.0.1', port: this.port };
    const { octets } = encodeAsk({ name: `${CATALOG}.`, type: 'SOA' });
    await eventually(() => exchange(address, octets, 1000));
  }

  async kill(): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** kill -9, as the last thing before this process ends. */
  abandon(): void {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
  }

  halt(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }
}
