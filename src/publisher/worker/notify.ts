import type { Fqdn } from '../../dns/names.ts';
import { TYPE } from '../../dns/record-types.ts';
import { CLASS, OPCODE } from '../../dns/wire/codes.ts';
import type { TsigSecret } from '../../dns/wire/tsig.ts';
import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import { delayAfter } from '../../runtime/backoff.ts';
import type { Log } from '../../runtime/log.ts';
import type { DnsClient } from './dns-client.ts';
import { dnsQuery } from './dns-query.ts';
import type { Build } from './dns-response.ts';
import type { ServerKeys } from './pools-and-keys.ts';
import type { WorkerSettings } from './settings.ts';

/** Maximum number of messages that are repeated at once; beyond that, each is sent only once. */
const MAX_REPEATED = 10_000;

/** Sends NOTIFY (RFC 1996), repeated with growing intervals until the server sends any response. */
export class Notifier {
  readonly #exchanges: DnsClient;
  readonly #settings: Pick<WorkerSettings, 'notifyBackoff' | 'notifyTries'>;
  readonly #log: Log;
  /** By server and zone: a newer message replaces an older one. */
  readonly #running = new Map<string, AbortController>();

  constructor(
    exchanges: DnsClient,
    settings: Pick<WorkerSettings, 'notifyBackoff' | 'notifyTries'>,
    log: Log,
  ) {
    this.#log = log;
    this.#exchanges = exchanges;
    this.#settings = settings;
  }

  /** Notifies servers that a zone has changed. */
  notify(name: Fqdn, servers: readonly ServerAddress[], keys: ServerKeys): void {
    for (const server of servers) {
      this.#tell(name, server, keys(server)).catch((err: unknown) => {
        this.#log.error({ err, zone: name }, 'cannot send a NOTIFY');
      });
    }
  }

  stop(): void {
    for (const controller of this.#running.values()) controller.abort();
  }

  async #tell(name: Fqdn, server: ServerAddress, key: TsigSecret | undefined): Promise<void> {
    const label = `${formatAddress(server)} ${name}`;
    this.#running.get(label)?.abort();
    const controller = new AbortController();
    const tries = this.#running.size < MAX_REPEATED ? this.#settings.notifyTries : 1;
    this.#running.set(label, controller);
    try {
      await this.#repeat(server, this.#build(name, key), tries, controller.signal);
    } finally {
      if (this.#running.get(label) === controller) this.#running.delete(label);
    }
  }

  #build(name: Fqdn, key: TsigSecret | undefined): Build {
    const question = { name, type: TYPE.SOA, class: CLASS.IN };
    return (id: number) => dnsQuery(id, OPCODE.NOTIFY, question, key);
  }

  async #repeat(server: ServerAddress, build: Build, tries: number, signal: AbortSignal): Promise<void> {
    for (let done = 0; done < tries && !signal.aborted; done += 1) {
      const ms = delayAfter(this.#settings.notifyBackoff, done);
      const { message, isSilent } = await this.#exchanges.once(server, build, ms, signal);
      if (message !== undefined || isSilent) return;
    }
  }
}
