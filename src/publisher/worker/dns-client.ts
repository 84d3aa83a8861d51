import { formatAddress, type ServerAddress } from '../../model/pools/pool.ts';
import { delayAfter } from '../../runtime/backoff.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { askByTcp } from './connections.ts';
import { type Build, type DnsResponse, NO_ANSWER } from './dns-response.ts';
import { ServerCircuitBreaker } from './server-circuit-breaker.ts';
import type { DnsClientSettings } from './settings.ts';
import { UdpClient } from './udp-client.ts';

/** Result of a query. `isSilent` is true if a silent server was not queried. */
export type DnsClientResponse = DnsResponse & { readonly isSilent?: boolean };

/** Exchanges messages with name servers, within limits in total and per server. */
export class DnsClient {
  readonly #settings: DnsClientSettings;
  readonly #slots: Semaphore;
  readonly #silences: ServerCircuitBreaker;
  readonly #datagrams = new UdpClient();

  constructor(settings: DnsClientSettings) {
    this.#settings = settings;
    this.#slots = new Semaphore({
      permits: settings.maxQueries,
      perOwner: settings.maxQueriesPerServer,
    });
    this.#silences = new ServerCircuitBreaker(settings.openAfterMs, settings.probeIntervalMs);
  }

  /** Sends one query over UDP. */
  once(server: ServerAddress, build: Build, ms: number, signal: AbortSignal): Promise<DnsClientResponse> {
    return this.#heard(server, signal, () => this.#datagrams.ask(server, build, ms, signal));
  }

  /**
   * Queries over UDP, and over TCP after a truncated response or several timeouts.
   * @param needsProof true to use TCP also after a response that anyone could have sent
   */
  thoroughly(
    server: ServerAddress,
    build: Build,
    needsProof: boolean,
    signal: AbortSignal,
  ): Promise<DnsClientResponse> {
    return this.#heard(server, signal, () => this.#ask(server, build, needsProof, signal));
  }

  close(): void {
    this.#datagrams.close();
  }

  async #ask(
    server: ServerAddress,
    build: Build,
    needsProof: boolean,
    signal: AbortSignal,
  ): Promise<DnsResponse> {
    for (let tries = 0; tries < this.#settings.udpTries && !signal.aborted; tries += 1) {
      const ms = delayAfter(this.#settings.udpTimeout, tries);
      const asked = await this.#datagrams.ask(server, build, ms, signal);
      if (asked.message === undefined) continue;
      if ((asked.isProven || !needsProof) && !asked.message.header.tc) return asked;
      break;
    }
    return askByTcp(server, build, this.#settings.tcpTimeoutMs, signal);
  }

  /** Runs a query unless the server is silent, and records whether it responded. */
  #heard(
    server: ServerAddress,
    signal: AbortSignal,
    ask: () => Promise<DnsResponse>,
  ): Promise<DnsClientResponse> {
    const address = formatAddress(server);
    return this.#slots.run(address, async () => {
      if (signal.aborted) return { message: undefined, fault: NO_ANSWER };
      const silence = this.#silences.find(address);
      if (silence !== undefined) return { message: undefined, fault: silence, isSilent: true };
      const queriedAt = performance.now();
      const asked = await ask();
      if (asked.message !== undefined) this.#silences.answered(address);
      else if (!signal.aborted) this.#silences.unanswered(address, queriedAt, asked.fault);
      return asked;
    });
  }
}
